/** One script a pitfall, in the manner of the lecture's of 2024 and 2025; and code in which nothing is to be found. */
import assert from 'node:assert/strict';
import { scriptPitfalls } from './script';

const found = (text: string) =>
  scriptPitfalls('bench.py', text).map(({ args, source }) => `${source?.line} ${String(args.what)}`);

const timed = (
  op: string,
  more: { readonly warm?: boolean; readonly device?: boolean; readonly sync?: boolean; readonly loop?: boolean } = {},
) => {
  const { warm = true, device = true, sync = true, loop = true } = more;
  return `import time, torch
import torch.distributed as dist

def run(rank, n):
${device ? '    torch.cuda.set_device(rank)\n' : ''}    x = torch.ones(1024, device="cuda")
${warm ? `    ${op}\n` : ''}    start = time.perf_counter()
${loop ? `    for _ in range(20):\n        ${op}\n` : `    ${op}\n`}${sync ? '    torch.cuda.synchronize()\n' : ''}    seconds = time.perf_counter() - start
`;
};

describe('pitfalls of benchmark scripts', () => {
  it('are none in a careful benchmark', () => {
    assert.deepEqual(found(timed('dist.all_reduce(x)')), []);
  });

  it('are a missing warm-up and a single sample', () => {
    assert.deepEqual(found(timed('dist.all_reduce(x)', { warm: false, loop: false })), [
      '8 no-warm-up',
      '8 single-sample',
    ]);
    assert.deepEqual(found(timed('dist.all_reduce(x)', { loop: false })), ['9 single-sample']);
  });

  it('are waiting for no GPU, or for GPU 0', () => {
    assert.deepEqual(found(timed('dist.all_reduce(x)', { sync: false })), ['10 no-sync']);
    assert.deepEqual(found(timed('dist.all_reduce(x)', { device: false })), ['10 sync-without-device']);
  });

  it('are bytes of reduce-scatter by its output, and not by its input', () => {
    const scatter = (of: string) =>
      `${timed('dist.reduce_scatter_tensor(output=y, input=x)')}    data_bytes = ${of}.element_size() * ${of}.numel()\n    sent = data_bytes * (world_size - 1)\n`;
    assert.deepEqual(found(scatter('y')), ['13 reduce-scatter-output']);
    assert.deepEqual(found(scatter('x')), []);
  });

  it('are GiB under the name of GB', () => {
    const print = (unit: string) => `import torch\ndef show(bw):\n    print(f"{round(bw / 1024**3)} ${unit}/s")\n`;
    assert.deepEqual([found(print('GB')), found(print('GiB'))], [['3 gib-as-gb'], []]);
    assert.deepEqual(found('import torch\ndef show(bw):\n    print(f"{bw / 1e9} GB/s")\n'), []);
  });

  it('are weights that are seeded alike in every layer and shard', () => {
    const init = (seed: string) =>
      `import torch\ndef get_init_params(n, m, rank):\n    torch.manual_seed(${seed})\n    return torch.nn.Parameter(torch.randn(n, m))\n`;
    assert.deepEqual([found(init('0')), found(init('rank'))], [['3 reseeded-shards'], []]);
  });

  it('are a loop backwards over layers that never reaches layer 0', () => {
    const loop = (stop: string) =>
      `import torch\ndef backward(num_layers):\n    for i in range(num_layers - 1, ${stop}, -1):\n        pass\n`;
    assert.deepEqual([found(loop('0')), found(loop('-1'))], [['3 range-skips-first'], []]);
  });

  it('are of the lecture’s code of 2026 those alone that it has: GiB as GB and one sample, and one GPU waited for', () => {
    // The input of reduce-scatter counts there, and one call warms up (stanford-cs336 lecture 7, 2026, by its notes).
    const part = (op: string, tensor: string) => `import time
import torch
import torch.distributed as dist

def measure(rank, world_size, count):
    setup(rank, world_size)
    given = torch.randn(world_size, count, device=cuda_if_available(rank))
    output = torch.empty(count, device=cuda_if_available(rank))
    ${op}
    torch.cuda.synchronize()
    dist.barrier()
    start_time = time.time()
    ${op}
    torch.cuda.synchronize()
    dist.barrier()
    end_time = time.time()
    data_bytes = ${tensor}.element_size() * ${tensor}.numel()
    sent_bytes = data_bytes * (world_size - 1)
    bandwidth = sent_bytes / (world_size * (end_time - start_time))
    print(f"Rank {rank}: measured bandwidth = {round(bandwidth / 1024**3)} GB/s", flush=True)
`;
    assert.deepEqual(found(part('dist.reduce_scatter_tensor(output=output, input=given, async_op=False)', 'given')), [
      '13 single-sample',
      '10 sync-without-device',
      '20 gib-as-gb',
    ]);
  });

  it('are none of other code, nor of what does not parse', () => {
    for (const text of ['', 'x = 1', 'import torch\ndef f(:\n', 'import torch\nfor i in range(9, 0, -1): pass\n'])
      assert.deepEqual(found(text), []);
  });
});
