/* The item in the status bar. */

import * as vscode from "vscode";

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("shapecheck", vscode.StatusBarAlignment.Right, 90);

  constructor() {
    this.item.name = "shapecheck";
    this.waiting(true);
    this.item.show();
  }

  /** The server runs. */
  update(showsShapes: boolean): void {
    this.item.text = showsShapes ? "$(symbol-array) shapes" : "$(circle-slash) shapes";
    this.item.tooltip = showsShapes ? "shapecheck: shapes are shown; click to hide them" : "shapecheck: shapes are hidden; click to show them";
    this.item.command = "shapecheck.toggleShapes";
    this.item.backgroundColor = undefined;
  }

  waiting(isStarting: boolean): void {
    this.item.text = isStarting ? "$(loading~spin) shapes" : "$(debug-disconnect) shapes";
    this.item.tooltip = isStarting ? "shapecheck starts" : "shapecheck has stopped; click to restart it";
    this.item.command = "shapecheck.restart";
  }

  failed(reason: string): void {
    this.item.text = "$(error) shapes";
    this.item.tooltip = `shapecheck cannot be started: ${reason}\nSee the setting shapecheck.command. Click for the log.`;
    this.item.command = "shapecheck.showLog";
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
  }

  dispose(): void {
    this.item.dispose();
  }
}
