import assert from 'node:assert/strict';
import { readScript } from './script';

/** The flags of the script's last command as `name=values`; unknown values as `?reason`. */
function flags(text: string, beside: Record<string, string> = {}): string[] {
  const files = Object.entries(beside).map(([file, other]) => ({ file, text: other }));
  const command = readScript('run.sh', text, files).commands.at(-1);
  assert.ok(command !== undefined, 'no command');
  return command.flags.map(({ name, words, depends }) => {
    const values = words.map(word => word.text ?? `?${word.reason?.kind}:${word.reason?.name}`).join(' ');
    return `${name}${values === '' ? '' : `=${values}`}${depends === null ? '' : ` if ${depends.name}`}`;
  });
}

describe('flags of a shell command', () => {
  it('come from variables, arrays, strings and the line itself', () => {
    assert.deepEqual(flags('A=3\nX=(--a $A --b)\nX+=(--c "x y")\nrun ${X[@]} --d=4 --e\\\n f'), [
      'a=3',
      'b',
      'c=x y',
      'd=4',
      'e=f',
    ]);
    assert.deepEqual(flags('S=" --a 1 \\\n --b 2 "\npython t.py $S'), ['a=1', 'b=2']);
  });

  it('take the home folder as a tilde, so that a path keeps the name at its end', () => {
    assert.deepEqual(flags('M=${M:-"$HOME/models/ours"}\nrun --a $M'), ['a=~/models/ours']);
  });

  it('are unknown where arguments, the environment or commands decide, with the name to blame', () => {
    assert.deepEqual(flags('run --a $1 --b ${12} --c $DATA --d $(nproc) --e `nproc`'), [
      'a=?argument:$1',
      'b=?argument:$12',
      'c=?environment:DATA',
      'd=?command:$(nproc)',
      'e=?command:`nproc`',
    ]);
  });

  it('take defaults of expansions', () => {
    assert.deepEqual(flags('B=\nrun --a ${A:-1} --b ${B:-2} --c ${B-3}x --d ${D:=4} --e $D --f ${E:+5}'), [
      'a=1',
      'b=2',
      'c=x',
      'd=4',
      'e=4',
      'f',
    ]);
  });

  it('follow branches that are known and join those that are not', () => {
    assert.deepEqual(flags('N=3\nif [[ $N -gt 2 && -n "$N" ]]; then X=1; else X=2; fi\nrun --a $X'), ['a=1']);
    assert.deepEqual(flags('if [ $1 = a ]; then X=1; else X=2; fi\nrun --a $X'), ['a=?branch:$1']);
    assert.deepEqual(flags('if [ $1 = a ]; then X=7; else X=7; fi\nrun --a $X'), ['a=7']);
    assert.deepEqual(flags('X="--a 1"\nif [ $1 = b ]; then X="$X --b 2"; fi\nrun $X --c'), ['a=1', 'b=2 if $1', 'c']);
    assert.deepEqual(flags('if [ $1 = b ]; then X="--b 2"; else X="--b 2 --c"; fi\nrun $X'), ['b=2', 'c if $1']);
  });

  it('leave out branches that end the script', () => {
    assert.deepEqual(flags('if [ -z "$W" ]; then echo set W; exit 1; fi\nX=2\nrun --a $X'), ['a=2']);
    assert.deepEqual(flags('case $1 in a) X=1;; *) exit 1;; esac\nrun --a $X'), ['a=1']);
  });

  it('match patterns of case', () => {
    assert.deepEqual(flags('M=llama-8b\ncase $M in gpt*) X=1;; llama-*) X=2;; *) X=3;; esac\nrun --a $X'), ['a=2']);
  });

  it('read arithmetic with names, expansions and precedence', () => {
    assert.deepEqual(
      flags('A=6\nB=4\nrun --a $((A*B)) --b $(( ($A + 2) / B )) --c $(( A > B ? 1 : 0 )) --d $((A*Z))'),
      ['a=24', 'b=2', 'c=1', 'd=?environment:Z'],
    );
  });

  it('read sourced files and scripts that are started, where they are given', () => {
    assert.deepEqual(flags('TP=4\nsource ./common.sh\nrun $ARGS', { 'common.sh': 'ARGS="--tp $TP"' }), ['tp=4']);
    assert.deepEqual(flags('TP=2 bash train.sh 8', { 'train.sh': 'run --tp $TP --n $1' }), ['tp=2', 'n=8']);
  });

  it('read strings that a shell reads again, without what is redirected or piped', () => {
    assert.deepEqual(flags(`CMD="run --a '1,2' --b 3 > log 2>&1"\neval $CMD`), ['a=1,2', 'b=3']);
    assert.deepEqual(flags('A=(--x 1 --y 2)\nbash -c "cd here; run ${A[*]} | tee log"'), ['x=1', 'y=2']);
  });

  it('end where a comment cuts a continued command', () => {
    assert.deepEqual(flags('run --a 1 \\\n# --b 2 \\\n--c 3'), ['a=1']);
    assert.deepEqual(flags('# run \\\nrun --a 1'), ['a=1']);
  });

  it('survive Windows line ends', () => {
    assert.deepEqual(flags('A=1\r\nrun --a $A \\\r\n  --b 2\r\n'), ['a=1', 'b=2']);
  });

  it('know the places that determine them, the deepest first', () => {
    const script = readScript('run.sh', 'TP=${1:-8}\nARGS=(--tp $TP)\nrun "${ARGS[@]}"\n');
    const levels = script.commands[0]?.flags[0]?.words[0]?.levels ?? [];
    const places = levels.map(ranges => ranges.map(({ line, column, endColumn }) => [line, column, endColumn]));
    assert.deepEqual(places, [[[1, 9, 10]], [[1, 4, 11]], [[2, 12, 15]]]);
  });

  it('have both places where branches agree', () => {
    const script = readScript('run.sh', 'if [ $1 = a ]; then X=7; else X=7; fi\nrun --a $X');
    const places = script.commands[0]?.flags[0]?.words[0]?.levels[0]?.map(({ column }) => column);
    assert.deepEqual(places, [23, 33]);
  });

  it('end on values that thousands of lines build up', () => {
    const lines = (line: (i: number) => string) => Array.from({ length: 3000 }, (_, i) => line(i)).join('\n');
    const branches = lines(i => `if [ "$1" = ${i} ]; then X=${i}; fi`);
    const appended = lines(i => `X="$X part${i}"`);
    const listed = lines(i => `X+=(part${i})`);
    for (const text of [branches, appended, listed]) {
      const [command] = readScript('run.sh', `${text}\nrun --tp 4 --x $X`).commands;
      assert.equal(command?.flags[0]?.words[0]?.text, '4');
    }
  });

  it('bound what explodes', () => {
    const doubling = `A="--x 1"\n${Array.from({ length: 60 }, () => 'A="$A $A"').join('\n')}\nrun $A`;
    assert.equal(readScript('run.sh', doubling).exhausted, true);
    assert.ok(readScript('run.sh', 'f() { f; f; }\nf').commands.length === 0);
  });
});
