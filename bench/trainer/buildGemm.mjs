// Compiles src/engine/kernels/assembly/gemm.ts into a TypeScript module: node bench/trainer/buildGemm.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const target = 'src/engine/trainer/generated/gemm.ts';
const outputs = {};
const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd'];
const { error, stderr } = await asc.main(['src/engine/kernels/assembly/gemm.ts', '--outFile', 'gemm.wasm', ...flags], {
  writeFile: (name, data) => (outputs[name] = data),
});
if (error) throw new Error(stderr.toString(), { cause: error });
const text = `// Made by bench/trainer/buildGemm.mjs from src/engine/kernels/assembly/gemm.ts: do not edit.
export const GEMM_KERNEL = '${Buffer.from(outputs['gemm.wasm']).toString('base64')}';
`;
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error(`${target} is not what the source gives: run node bench/trainer/buildGemm.mjs`);
  process.exitCode = 1;
}
