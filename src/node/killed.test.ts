/** A process that is killed while it replaces a file: the old text or the new one is there, whole, and the next write tidies up. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { replaceText, type WriteCalls } from './files';

/** Replaces the file over and over, or until it comes to the wanted call: then it waits, half done, to be killed. */
const WRITER = `
import fs from 'node:fs';
import { replaceText } from ${JSON.stringify(path.resolve('src/node/files.ts'))};
const [file, wanted] = process.argv.slice(2);
const stop = () => { fs.writeSync(1, 'here'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };
const at = (call, run) => (...args) => { if (call === wanted) stop(); return run(...args); };
const disk = {
  open: at('open', fs.openSync),
  write: (handle, text) => { if (wanted === 'write') { fs.writeSync(handle, text.slice(0, 9)); stop(); } fs.writeFileSync(handle, text); },
  sync: at('sync', fs.fsyncSync),
  close: at('close', fs.closeSync),
  rename: at('rename', fs.renameSync),
};
if (wanted === 'any') fs.writeSync(1, 'here');
for (;;) for (const letter of 'ab') replaceText(file, letter.repeat(200_000), disk);
`;

/** Kills that are not aimed at a call; the soak sets more. */
const KILLS = Number(process.env.MESHLENS_KILLS ?? 3);

describe('a process killed while it writes', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meshlens-kill-'));
    file = path.join(folder, 'train.json');
    fs.writeFileSync(file, 'b'.repeat(200_000));
    fs.writeFileSync(path.join(folder, 'writer.mts'), WRITER);
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  async function killAt(call: string): Promise<void> {
    const args = ['--import', 'tsx', path.join(folder, 'writer.mts'), file, call];
    const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout, 'data');
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const text = fs.readFileSync(file, 'utf8');
    assert.ok(/^(?:a+|b+)$/.test(text) && text.length === 200_000, `${text.length} characters, ${text.slice(0, 9)} …`);
    replaceText(file, 'next');
    assert.equal(fs.readFileSync(file, 'utf8'), 'next');
    assert.deepEqual(fs.readdirSync(folder).sort(), ['train.json', 'writer.mts']);
  }

  for (const call of ['open', 'write', 'sync', 'close', 'rename'] satisfies (keyof WriteCalls)[])
    it(`at ${call} leaves a whole text, and nothing beside it after the next write`, () => killAt(call));

  it(`${KILLS} times wherever it is`, async function () {
    this.timeout(KILLS * 20_000);
    for (let n = 0; n < KILLS; n++) {
      fs.writeFileSync(file, 'b'.repeat(200_000));
      await killAt('any');
    }
  });
});
