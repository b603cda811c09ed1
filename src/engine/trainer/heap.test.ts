import assert from 'node:assert/strict';
import { Heap } from './heap';
import type { Turn } from './turn';

describe('a rank’s heap', () => {
  const turn: Turn = { rank: null };

  it('counts live bytes and peaks by what they are for', () => {
    const heap = new Heap(0, 'f32', turn);
    const weights = heap.allocate('weights', 10);
    const first = heap.buffer(5);
    first.free();
    const second = heap.buffer(3).keep();
    assert.deepEqual({ ...heap.live }, { weights: 40, gradients: 0, optimizer: 0, activations: 12, buffers: 0 });
    assert.deepEqual({ ...heap.peak }, { weights: 40, gradients: 0, optimizer: 0, activations: 12, buffers: 20 });
    assert.equal(heap.peakBytes, 60);
    weights.free();
    second.free();
    second.free();
    assert.equal(
      Object.values(heap.live).reduce((a, b) => a + b),
      0,
    );
  });

  it('poisons what is freed', () => {
    const heap = new Heap(0, 'f64', turn);
    const tensor = heap.buffer(2);
    const view = tensor.data;
    tensor.free();
    assert.throws(() => tensor.data, /freed/);
    assert.ok(Number.isNaN(view[0]));
  });

  it('takes freed memory again where it may, as zeros', () => {
    const heap = new Heap(0, 'f32', turn, true);
    const first = heap.buffer(3);
    const view = first.data.fill(7);
    first.free();
    first.free();
    assert.ok(Number.isNaN(view[0]));
    const second = heap.buffer(3);
    assert.equal(second.data, view);
    assert.deepEqual([...second.data], [0, 0, 0]);
    assert.notEqual(heap.buffer(3).data, view);
    assert.throws(() => first.data, /freed/);
    assert.equal(heap.live.buffers, 24);
  });

  it('refuses another rank’s tensor', () => {
    const tensor = new Heap(1, 'f64', turn).buffer(2);
    turn.rank = 0;
    assert.throws(() => tensor.data, /rank 0 reads a tensor of rank 1/);
    turn.rank = 1;
    assert.equal(tensor.data.length, 2);
    turn.rank = null;
  });

  it('frees what a scope gathered, but for what is kept', () => {
    const heap = new Heap(0, 'f64', turn);
    const scope = heap.open();
    const [a, b] = [heap.buffer(1), heap.buffer(1)];
    scope.end(b);
    heap.buffer(4);
    scope.free();
    assert.throws(() => a.data);
    assert.equal(b.data.length, 1);
    assert.equal(heap.live.buffers, 40);
  });
});
