// The borders between the parts of the house. Lower layers never import higher ones.
const border = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    border(
      'engine-is-pure',
      '^src/engine/',
      '^(src/(node|cli|extension|words|protocol)|webview)/',
      'The engine knows no host and no words.',
    ),
    {
      name: 'engine-has-no-platform',
      severity: 'error',
      from: { path: '^src/engine/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    border('words-read-the-engine-only', '^src/words/', '^(src/(node|cli|extension|protocol)|webview)/'),
    border('agents-know-no-host', '^src/agents/', '^(src/(node|cli|extension)|webview)/'),
    border('protocol-is-types', '^src/protocol/', '^(src/(node|cli|extension)|webview)/'),
    border('node-knows-no-editor', '^src/(node|cli)/', '^(src/extension|webview)/'),
    border('workers-know-no-editor', '^src/(worker|web)/', '^(src/(node|cli|extension)|webview)/'),
    border(
      'node-knows-no-command-line',
      '^src/node/',
      '^src/cli/',
      'The command line is one user of what Node does; the editor is another.',
    ),
    border('webview-knows-no-host', '^webview/', '^src/(node|cli|extension)/'),
    border('extension-speaks-to-the-webview-by-protocol', '^src/extension/', '^webview/'),
    {
      name: 'vscode-in-the-extension-only',
      severity: 'error',
      from: { pathNot: '^src/extension/' },
      to: { path: '^vscode$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$|/assembly/|/generated/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
};
