import { strict as assert } from 'node:assert';
import { parseNvidiaSmi } from './nvidiaSmi';

// The layouts are those that the tool prints (drivers 470 to 550); names as its users publish them.
const table = (name: string, mib: number, count: number): string =>
  [
    '+-----------------------------------------------------------------------------------------+',
    '| NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4     |',
    '|-----------------------------------------+------------------------+----------------------+',
    '| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |',
    '| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |',
    '|=========================================+========================+======================|',
    ...Array.from({ length: count }, (_, i) => [
      `|   ${i}  ${name.padEnd(30)} On |   00000000:1${i}:00.0 Off |                    0 |`,
      `| N/A   34C    P0             72W /  700W |       1MiB /  ${mib}MiB |      0%      Default |`,
      '|                                         |                        |             Disabled |',
      '+-----------------------------------------+------------------------+----------------------+',
    ]).flat(),
  ].join('\n');

describe('nvidia-smi', () => {
  it('table: the device, and how many', () => {
    assert.deepEqual(parseNvidiaSmi(table('NVIDIA H100 80GB HBM3', 81559, 8)), {
      gpu: 'h100-sxm',
      gpusPerNode: 8,
      domainSize: null,
    });
  });

  it('tells devices of one name apart by their memory', () => {
    const gpus = [40960, 81920].map(mib => parseNvidiaSmi(table('NVIDIA A100-SXM4', mib, 4)));
    assert.deepEqual(
      gpus.map(found => 'gpu' in found && found.gpu),
      ['a100-40', 'a100-80'],
    );
    const tesla = parseNvidiaSmi(table('Tesla V100-SXM2-32GB', 32510, 8));
    assert.ok('gpu' in tesla && tesla.gpu === 'v100-32');
  });

  it('takes whole words: an A40 is no A4000, an L4 no L40S, an H20 no H200', () => {
    const named = (name: string) => {
      const found = parseNvidiaSmi(`GPU 0: ${name} (UUID: GPU-1)\n`);
      return 'gpu' in found ? found.gpu : null;
    };
    const names = [
      'NVIDIA A40',
      'NVIDIA RTX A4000',
      'NVIDIA L4',
      'NVIDIA L40S',
      'NVIDIA H20',
      'NVIDIA H200',
      'Tesla T4',
    ];
    assert.deepEqual(names.map(named), ['a40', null, 'l4', 'l40s', 'h20', 'h200-sxm', 't4']);
    assert.equal(named('NVIDIA A100-PCIE-80GB'), 'a100-pcie-80');
    assert.equal(named('NVIDIA RTX 6000 Ada Generation'), 'rtx-6000-ada');
    assert.equal(named('NVIDIA RTX PRO 6000 Blackwell Workstation Edition'), 'rtx-pro-6000');
  });

  it('list and CSV', () => {
    const list = [0, 1].map(i => `GPU ${i}: NVIDIA GeForce RTX 4090 (UUID: GPU-0000000${i}-aaaa)`).join('\n');
    assert.deepEqual(parseNvidiaSmi(list), { gpu: 'rtx-4090', gpusPerNode: 2, domainSize: null });
    const csv = 'name, memory.total [MiB]\nNVIDIA L40S, 46068 MiB\nNVIDIA L40S, 46068 MiB\n';
    assert.deepEqual(parseNvidiaSmi(csv), { gpu: 'l40s', gpusPerNode: 2, domainSize: null });
    const named = 'GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n';
    const found = parseNvidiaSmi(named);
    assert.ok('gpu' in found && found.gpu === 'a100-40');
  });

  it('the matrix of its links after it: how many GPUs NVLink joins', () => {
    const matrix = (cell: string): string =>
      `\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \t${cell}\t0-31\t0\nGPU1\t${cell}\t X \t0-31\t0\n`;
    const list = [0, 1].map(i => `GPU ${i}: NVIDIA RTX A6000 (UUID: GPU-${i})`).join('\n');
    assert.deepEqual(parseNvidiaSmi(`${list}\n${matrix('NV4')}`), { gpu: 'rtx-a6000', gpusPerNode: 2, domainSize: 2 });
    assert.deepEqual(parseNvidiaSmi(`${list}\n${matrix('PHB')}`), { gpu: 'rtx-a6000', gpusPerNode: 2, domainSize: 1 });
  });

  it('says what it cannot read', () => {
    for (const text of ['', 'no devices', '|'.repeat(100_000), table('NVIDIA A2', 15356, 1)]) {
      assert.ok('code' in parseNvidiaSmi(text), text.slice(0, 40));
    }
    const mixed = 'GPU 0: NVIDIA L40S (UUID: GPU-1)\nGPU 1: NVIDIA A10G (UUID: GPU-2)';
    assert.ok('code' in parseNvidiaSmi(mixed));
  });
});
