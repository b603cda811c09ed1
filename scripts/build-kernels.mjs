// Compiles the AssemblyScript kernels and writes them as a TypeScript module: node scripts/build-kernels.mjs [--check]
// A shared build for worker threads, and one without threads for hosts that have no SharedArrayBuffer.
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const folder = 'src/engine/kernels';
const target = `${folder}/generated/kernels.ts`;

async function build(entry, shared) {
  const outputs = {};
  const threads = shared ? ['--sharedMemory', '--enable', 'threads'] : [];
  const flags = [
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--importMemory',
    '--initialMemory',
    '1',
    '--maximumMemory',
    '65536',
  ];
  const { error, stderr } = await asc.main(
    [
      `${folder}/assembly/${entry}.ts`,
      '--outFile',
      'kernels.wasm',
      ...flags,
      ...threads,
      '--enable',
      'simd',
      '--enable',
      'bulk-memory',
    ],
    { writeFile: (name, data) => (outputs[name] = data) },
  );
  if (error) throw new Error(stderr.toString(), { cause: error });
  return Buffer.from(outputs['kernels.wasm']).toString('base64');
}

const text = `// Made by scripts/build-kernels.mjs from src/engine/kernels/assembly: do not edit.
export const SHARED_KERNELS = '${await build('indexShared', true)}';
export const UNSHARED_KERNELS = '${await build('indexUnshared', false)}';
`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error(`${target} is not what the sources give: run node scripts/build-kernels.mjs`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
  console.log(`${target}: ${text.length} characters`);
}
