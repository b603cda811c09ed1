import { runCli } from './main';

const { stdout, stderr, exitCode } = runCli(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
