// What takes too long for every change: `npm run soak [part of a name] [every]`, where `every` n tries each n-th case.
import { soakFuzz } from '../bench/soak/fuzz';
import { soakHosts } from '../bench/soak/hosts';
import { soakMutation } from '../bench/soak/mutation';
import { soakPackage } from '../bench/soak/package';
import { soakProperties } from '../bench/soak/properties';
import { soakRegex } from '../bench/soak/regex';
import { soakTorchrun } from '../bench/soak/torchrun';
import { soakTrainer } from '../bench/trainer/soak';
import { soakTrainerThreads } from '../bench/trainer/soakThreads';

/** A part prints what it finds and returns how many cases failed. */
type Soak = (say: (line: string) => void, every: number) => number | Promise<number>;

const SOAKS: Readonly<Record<string, Soak>> = {
  trainer: soakTrainer,
  'trainer-threads': soakTrainerThreads,
  hosts: soakHosts,
  package: soakPackage,
  properties: soakProperties,
  mutation: soakMutation,
  regex: soakRegex,
  fuzz: soakFuzz,
  torchrun: soakTorchrun,
};

async function main(wanted = '', every = '1'): Promise<void> {
  let failed = 0;
  for (const [name, run] of Object.entries(SOAKS)) {
    if (!name.includes(wanted)) continue;
    const started = performance.now();
    failed += await run(line => console.log(`${name}: ${line}`), Number(every));
    console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

void main(...process.argv.slice(2));
