import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the host of these tests', () => {
  it('is the VS Code that was asked for', function () {
    const expected = process.env.MESHLENS_EXPECTED_VSCODE;
    if (expected === undefined) this.skip();
    assert.equal(vscode.version.split('.').slice(0, 2).join('.'), expected);
  });

  it('has the workspace open', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
  });

  it('trusts the workspace as it was asked to', () => {
    assert.equal(vscode.workspace.isTrusted, process.env.MESHLENS_UNTRUSTED !== '1');
  });
});
