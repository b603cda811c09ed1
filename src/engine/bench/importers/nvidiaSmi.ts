/** `nvidia-smi -q`, its table and its lists: each GPU with its power, its clocks and what holds them down; and the matrix of `topo -m`. */
import { parseNvidiaSmi } from '../../hardware/nvidiaSmi';
import { nvlinkDomains, parseTopology } from '../../mesh/topology';
import type { Line } from '../lines';
import type { DeviceRecord } from '../records';
import type { Found, Importer } from './importer';

const THROTTLES = /^(?:SW Power Cap|HW Slowdown|HW Thermal Slowdown|HW Power Brake Slowdown|SW Thermal Slowdown)$/;

type Device = { -readonly [K in keyof DeviceRecord]: DeviceRecord[K] };

export const NVIDIA_SMI_QUERY: Importer = {
  format: 'nvidia-smi-q',
  sign: /^\s*=+NVSMI LOG=+|^Attached GPUs\s+: \d/,
  read(lines, found) {
    let device: Device | null = null;
    let section = '';
    const finish = () => device !== null && found.add({ ...device });
    for (const line of lines) {
      if (/^GPU [0-9A-F]{8}:/i.test(line.text)) {
        finish();
        device = newDevice(line.number);
        continue;
      }
      const field = fieldOf(line.text);
      if (field === null) {
        if (/^\s{4}\S/.test(line.text)) section = line.text.trim();
        continue;
      }
      if (device !== null) setField(device, section, field[0], field[1], line, found);
    }
    finish();
  },
};

/** `    key      : value`; null where a line is no field. */
function fieldOf(text: string): readonly [key: string, value: string] | null {
  const at = text.indexOf(' : ');
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 2).trim()];
  return at < 0 || key === '' || value === '' || !/^\s/.test(text) ? null : [key, value];
}

function newDevice(line: number): Device {
  const unknown = {
    memoryBytes: null,
    powerWatts: null,
    powerLimitWatts: null,
    clockHertz: null,
    mostClockHertz: null,
  };
  return { kind: 'device', line, name: '', ...unknown, throttles: [] };
}

function setField(device: Device, section: string, key: string, value: string, line: Line, found: Found): void {
  const amount = (unit: string): number | null => {
    if (value === 'N/A' || value.startsWith('[')) return null;
    const [amount, ...own] = value.split(' ');
    if (own.join(' ') === unit && /^[\d.]+$/.test(amount)) return Number(amount);
    found.broken(line, `amount-in-${unit}-expected`);
    return null;
  };
  if (key === 'Product Name') device.name = value;
  else if (section === 'FB Memory Usage' && key === 'Total') device.memoryBytes = times(amount('MiB'), 2 ** 20);
  else if (/^(?:Instantaneous )?Power Draw$/.test(key)) device.powerWatts ??= amount('W');
  else if (/^(?:Current )?Power Limit$/.test(key)) device.powerLimitWatts ??= amount('W');
  else if (section === 'Clocks' && key === 'SM') device.clockHertz = times(amount('MHz'), 1e6);
  else if (section === 'Max Clocks' && key === 'SM') device.mostClockHertz = times(amount('MHz'), 1e6);
  else if (THROTTLES.test(key) && value === 'Active') device.throttles = [...device.throttles, key];
}

const times = (value: number | null, factor: number) => (value === null ? null : value * factor);

export const NVIDIA_SMI: Importer = {
  format: 'nvidia-smi',
  sign: /^\| NVIDIA-SMI \d|^GPU \d+: .*\(UUID: |^name, memory\.total|^\s*GPU0\s.*CPU Affinity/,
  read(lines, found) {
    const text = lines.map(line => line.text).join('\n');
    const has = (pattern: RegExp) => lines.find(line => pattern.test(line.text));
    const matrix = has(/^\s*GPU0\s.*CPU Affinity/);
    if (matrix !== undefined) {
      const topology = parseTopology(text);
      if ('code' in topology)
        found.broken(lines[Number(topology.args.line) - 1] ?? matrix, String(topology.args.reason));
      else {
        const domainSize = Math.max(...nvlinkDomains(topology).map(domain => domain.length));
        found.add({ kind: 'topology', line: matrix.number, gpus: topology.gpus, nics: topology.nics, domainSize });
      }
    }
    const table = has(/^\| NVIDIA-SMI \d|^GPU \d+: |^name, memory\.total/);
    if (table === undefined) return;
    const node = parseNvidiaSmi(text);
    if ('code' in node) found.broken(table, String(node.args.reason ?? node.args.name ?? node.code));
    else for (let i = 0; i < node.gpusPerNode; i++) found.add({ ...newDevice(table.number), name: node.gpu });
  },
};
