import assert from 'node:assert/strict';
import { inLanguage } from '../src/words/language';
import { type Formats, formats } from './format';

/** Intl separates with no-break spaces, which are hard to see in an expectation. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('numbers on the dashboard', () => {
  const en = formats();

  it('tells GB from GiB', () => {
    assert.equal(en.bytes(61.2e9), '61.2 GB');
    assert.equal(en.bytesBoth(85520809984), '85.5 GB (79.6 GiB)');
    assert.equal(en.gigabytes(1.5e9), '1.50');
    assert.equal(en.gigabytes(0), '0.00');
  });

  it('writes times in the unit that fits', () => {
    assert.equal(en.seconds(5.157), '5.16 s');
    assert.equal(en.seconds(0.812), '812 ms');
    assert.equal(en.seconds(0.000_042), '42.0 µs');
    assert.equal(en.seconds(1.4), '1.40 s');
    assert.equal(en.seconds(431.7), '432 s');
    assert.equal(en.seconds(0), '0 s');
    assert.equal(en.percent(0.39), '39.0 %');
  });

  it('writes rates with prefixes', () => {
    assert.equal(en.flopsPerSecond(367.947e12), '368 TFLOP/s');
    assert.equal(en.flops(57.9e9), '57.9 GFLOP');
    assert.equal(en.flops(12), '12 FLOP');
    assert.equal(en.count(8030261248), '8.03 B');
    assert.equal(en.times(1.379), '1.38×');
  });

  it('are Slovak for whoever reads Slovak', () => {
    const sk = (write: (own: Formats) => string) => plain(inLanguage('sk', () => write(formats())));
    assert.equal(
      sk(own => own.bytes(61.2e9)),
      '61,2 GB',
    );
    assert.equal(
      sk(own => own.integer(1048576)),
      '1 048 576',
    );
    assert.equal(
      sk(own => own.gigabytes(1234.5e9)),
      '1 234,50',
    );
    assert.equal(
      sk(own => own.count(8030261248)),
      '8,03 mld.',
    );
  });
});
