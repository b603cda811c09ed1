/** The HTML of the product's webviews. */
import * as vscode from 'vscode';
import { language } from '../words/language';

/** The document of a webview: one script, one style, nothing from elsewhere. Its language is that of its words. */
export function pageHtml(webview: vscode.Webview, root: vscode.Uri, entry: 'main' | 'lecture' = 'main'): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(root, `${entry}.js`)).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(root, 'main.css')).toString();
  const source = webview.cspSource;
  return `<!DOCTYPE html>
<html lang="${language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${source}; style-src ${source}; font-src ${source}; img-src ${source} data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>MeshLens</title>
</head>
<body>
<main id="app"></main>
<script type="module" src="${script}"></script>
</body>
</html>`;
}
