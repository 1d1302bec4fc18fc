/* The page of a rule, which the code of a problem links to: what `shapecheck explain` prints. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";

export const SCHEME = "shapecheck-rule";
const NAME = /^[a-z][a-z0-9-]*$/;

/** Return a problem whose code leads to its rule's page. */
export function linked(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const code = diagnostic.code;
  if (typeof code === "string" && NAME.test(code)) {
    diagnostic.code = { value: code, target: vscode.Uri.from({ scheme: SCHEME, path: `/${code}.md` }) };
  }
  return diagnostic;
}

export class RulePages implements vscode.TextDocumentContentProvider {
  constructor(private readonly command: () => string[]) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const name = uri.path.slice(1).replace(/\.md$/, "");
    const [program = "shapecheck", ...words] = this.command();
    if (!NAME.test(name)) return "";
    const { stdout } = await promisify(execFile)(program, [...words, "explain", name]);
    return stdout;
  }
}
