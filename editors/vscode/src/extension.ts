/* Starts the language server, and shows in the status bar whether it runs and whether shapes are shown. */

import * as vscode from "vscode";
import { LanguageClient, State, type Executable, type LanguageClientOptions } from "vscode-languageclient/node";
import { RulePages, SCHEME, linked } from "./rules";
import { StatusItem } from "./status";

let client: LanguageClient | undefined;

const settings = () => vscode.workspace.getConfiguration("shapecheck");
const showsShapes = () => settings().get<boolean>("showShapes", true);
const command = () => settings().get<string[]>("command", ["shapecheck"]);

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("shapecheck", { log: true });
  const status = new StatusItem();

  const start = async () => {
    await client?.dispose();
    client = made(log, status);
    try {
      await client.start();
    } catch (error) {
      status.failed(String(error));
      log.error(String(error));
    }
  };

  context.subscriptions.push(
    log,
    status,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, new RulePages(command)),
    vscode.commands.registerCommand("shapecheck.restart", start),
    vscode.commands.registerCommand("shapecheck.showLog", () => log.show()),
    vscode.commands.registerCommand("shapecheck.toggleShapes", () =>
      settings().update("showShapes", !showsShapes(), vscode.ConfigurationTarget.Global),
    ),
    vscode.workspace.onDidChangeConfiguration(async event => {
      if (event.affectsConfiguration("shapecheck.command")) await start();
      if (event.affectsConfiguration("shapecheck.showShapes")) {
        status.update(showsShapes());
        await refreshHints();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
}

function made(log: vscode.LogOutputChannel, status: StatusItem): LanguageClient {
  const [program = "shapecheck", ...words] = command();
  const run: Executable = { command: program, args: [...words, "server"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "python" }, { notebook: "jupyter-notebook", language: "python" }],
    outputChannel: log,
    middleware: {
      handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(linked)),
      provideInlayHints: (document, range, token, next) => (showsShapes() ? next(document, range, token) : []),
    },
  };
  const created = new LanguageClient("shapecheck", "shapecheck", run, options);
  created.onDidChangeState(({ newState }) => {
    if (newState === State.Running) status.update(showsShapes());
    else status.waiting(newState === State.Starting);
  });
  return created;
}

/** Ask the editor to show the hints anew. */
async function refreshHints(): Promise<void> {
  const feature = client?.getFeature("textDocument/inlayHint");
  for (const editor of vscode.window.visibleTextEditors) {
    feature?.getProvider(editor.document)?.onDidChangeInlayHints.fire();
  }
}
