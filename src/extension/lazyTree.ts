/** A tree whose provider is loaded when the tree is first looked at. */
import * as vscode from 'vscode';

export function lazyTree<Node>(view: string, load: () => Promise<vscode.TreeDataProvider<Node>>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let loading: Promise<vscode.TreeDataProvider<Node>> | undefined;
  const provider = (): Promise<vscode.TreeDataProvider<Node>> => {
    loading ??= load().then(loaded => {
      loaded.onDidChangeTreeData?.(() => changed.fire());
      return loaded;
    });
    return loading;
  };
  const tree = vscode.window.registerTreeDataProvider<Node>(view, {
    onDidChangeTreeData: changed.event,
    getChildren: async node => (await provider()).getChildren(node),
    getTreeItem: async node => (await provider()).getTreeItem(node),
  });
  return vscode.Disposable.from(changed, tree);
}
