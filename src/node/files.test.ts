import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { replaceText, type WriteCalls } from './files';

describe('replacing a file', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meshlens-files-'));
    file = path.join(folder, 'train.json');
    fs.writeFileSync(file, 'old');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const names = () => fs.readdirSync(folder).sort();
  const calls: WriteCalls = {
    open: fs.openSync,
    write: fs.writeFileSync,
    sync: fs.fsyncSync,
    close: fs.closeSync,
    rename: fs.renameSync,
  };
  const failing = (code: string) => (): never => {
    throw Object.assign(new Error(code), { code });
  };

  it('keeps its byte order mark and its mode, and follows a link', () => {
    fs.writeFileSync(file, '\uFEFFold', { mode: 0o640 });
    fs.chmodSync(file, 0o640);
    const link = path.join(folder, 'link.json');
    fs.symlinkSync(file, link);
    replaceText(link, 'new');
    assert.equal(fs.readFileSync(file, 'utf8'), '\uFEFFnew');
    assert.equal(fs.statSync(file).mode & 0o777, 0o640);
    assert.ok(fs.lstatSync(link).isSymbolicLink());
    assert.deepEqual(names(), ['link.json', 'train.json']);
  });

  for (const [call, code] of [
    ['open', 'EROFS'],
    ['write', 'ENOSPC'],
    ['sync', 'EIO'],
    ['rename', 'EACCES'],
  ] as const) {
    it(`leaves the old text and nothing beside it where ${call} fails with ${code}`, () => {
      const half = (handle: number, data: string | Uint8Array) => {
        fs.writeSync(handle, String(data).slice(0, 1));
        failing(code)();
      };
      const disk = { ...calls, [call]: call === 'write' ? half : failing(code) };
      assert.throws(() => replaceText(file, 'new', disk), { code });
      assert.equal(fs.readFileSync(file, 'utf8'), 'old');
      assert.deepEqual(names(), ['train.json']);
    });
  }

  it('removes what an ended process has left, and not what a running one writes', () => {
    const { pid: ended } = spawnSync(process.execPath, ['-e', '']);
    const [left, live, other] = [`${file}.meshlens-${ended}`, `${file}.meshlens-${process.ppid}`, `${file}.meshlens-x`];
    for (const each of [left, live, other]) fs.writeFileSync(each, 'half');
    replaceText(file, 'new');
    assert.equal(fs.readFileSync(file, 'utf8'), 'new');
    assert.deepEqual(names(), ['train.json', path.basename(live), path.basename(other)].sort());
  });
});
