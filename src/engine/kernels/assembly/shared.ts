// Waiting between threads, and collectives in which every member is a thread of its own.
// Flags: one 128-byte line each; + 0 the epoch, + 64 how many sleep on it. Epochs only grow.
import { allGatherSlice, allReduceSlice, allToAllSlice, blockStart, broadcastSlice, inputOf, outputOf, reduceScatterSlice } from './slices';
import { combine, copy } from './reduce';

// How often this thread went to sleep: the caller adapts its patience to it.
export let sleeps: i32 = 0;

export function post(flag: i32, epoch: i32): void {
  atomic.store<i32>(flag, epoch);
  if (atomic.load<i32>(flag, 64) != 0) atomic.notify(flag, -1);
}

// Waits until the flag has reached the epoch: `patience` looks, then sleep.
export function waitFor(flag: i32, epoch: i32, patience: i32): void {
  let left = patience;
  while (true) {
    let seen = atomic.load<i32>(flag);
    if (seen - epoch >= 0) return;
    if (--left >= 0) continue;
    atomic.add<i32>(flag, 1, 64);
    seen = atomic.load<i32>(flag);
    if (seen - epoch < 0) {
      atomic.wait<i32>(flag, seen, -1);
      sleeps++;
    }
    atomic.sub<i32>(flag, 1, 64);
  }
}

export function barrier(flags: i32, r: i32, n: i32, epoch: i32, patience: i32): void {
  post(flags + (r << 7), epoch);
  for (let k = 1; k < n; k++) {
    let q = r + k;
    if (q >= n) q -= n;
    waitFor(flags + (q << 7), epoch, patience);
  }
}

// Short messages of two members: each leaves a copy in a mailbox of its own and meets once. The mailboxes are used in turn,
// and a meeting or the wait of a broadcast keeps a member from being a whole turn ahead of the other.
const MAILBOXES: i32 = 16;
// @ts-ignore: decorator
@inline function isShort(n: i32, bytes: i32): bool { return n == 2 && bytes <= 256; }
// @ts-ignore: decorator
@inline function mailbox(mail: i32, r: i32, epoch: i32): i32 { return mail + r * (MAILBOXES << 8) + ((epoch & (MAILBOXES - 1)) << 8); }

// The following take the epoch of the last barrier and return that of theirs.

export function allReduce(table: i32, flags: i32, mail: i32, r: i32, n: i32, bytes: i32, unit: i32, kind: i32, epoch: i32, patience: i32): i32 {
  if (isShort(n, bytes)) {
    copy(mailbox(mail, r, ++epoch), inputOf(table, r), bytes);
    barrier(flags, r, n, epoch, patience);
    combine(kind, mailbox(mail, 0, epoch), mailbox(mail, 1, epoch), outputOf(table, r), bytes);
    return epoch;
  }
  barrier(flags, r, n, ++epoch, patience);
  allReduceSlice(table, r, n, bytes, unit, kind);
  barrier(flags, r, n, ++epoch, patience);
  return epoch;
}

export function reduceScatter(table: i32, flags: i32, mail: i32, r: i32, n: i32, bytes: i32, unit: i32, kind: i32, epoch: i32, patience: i32): i32 {
  if (isShort(n, bytes)) {
    copy(mailbox(mail, r, ++epoch), inputOf(table, r), bytes);
    barrier(flags, r, n, epoch, patience);
    const start = blockStart(r, n, bytes, unit), length = blockStart(r + 1, n, bytes, unit) - start;
    combine(kind, mailbox(mail, r, epoch) + start, mailbox(mail, 1 - r, epoch) + start, outputOf(table, r), length);
    return epoch;
  }
  barrier(flags, r, n, ++epoch, patience);
  reduceScatterSlice(table, r, n, bytes, unit, kind);
  barrier(flags, r, n, ++epoch, patience);
  return epoch;
}

export function allGather(table: i32, flags: i32, mail: i32, r: i32, n: i32, bytes: i32, epoch: i32, patience: i32): i32 {
  if (isShort(n, bytes)) {
    copy(mailbox(mail, r, ++epoch), inputOf(table, r), bytes);
    barrier(flags, r, n, epoch, patience);
    copy(outputOf(table, r), mailbox(mail, 0, epoch), bytes);
    copy(outputOf(table, r) + bytes, mailbox(mail, 1, epoch), bytes);
    return epoch;
  }
  barrier(flags, r, n, ++epoch, patience);
  allGatherSlice(table, r, n, bytes);
  barrier(flags, r, n, ++epoch, patience);
  return epoch;
}

export function allToAll(table: i32, flags: i32, mail: i32, r: i32, n: i32, bytes: i32, unit: i32, epoch: i32, patience: i32): i32 {
  if (isShort(n, bytes)) {
    copy(mailbox(mail, r, ++epoch), inputOf(table, r), bytes);
    barrier(flags, r, n, epoch, patience);
    const start = blockStart(r, n, bytes, unit), length = blockStart(r + 1, n, bytes, unit) - start;
    copy(outputOf(table, r), mailbox(mail, 0, epoch) + start, length);
    copy(outputOf(table, r) + length, mailbox(mail, 1, epoch) + start, length);
    return epoch;
  }
  barrier(flags, r, n, ++epoch, patience);
  allToAllSlice(table, r, n, bytes, unit);
  barrier(flags, r, n, ++epoch, patience);
  return epoch;
}

// The other's epoch as last looked at: a root that is not ahead by much need not look again.
let seen: i32 = 0;

// A short message leaves the root at once: it waits only while all mailboxes but one hold messages that may not be taken
// yet (an epoch in a flag says that a meeting was reached, not that its mailbox was read).
export function broadcast(table: i32, flags: i32, mail: i32, r: i32, n: i32, bytes: i32, root: i32, epoch: i32, patience: i32): i32 {
  if (isShort(n, bytes)) {
    epoch++;
    if (r == root) {
      if (seen - (epoch - MAILBOXES + 2) < 0) {
        waitFor(flags + ((1 - r) << 7), epoch - MAILBOXES + 2, patience);
        seen = atomic.load<i32>(flags + ((1 - r) << 7));
      }
      copy(mailbox(mail, r, epoch), inputOf(table, r), bytes);
      post(flags + (r << 7), epoch);
      if (outputOf(table, r) != inputOf(table, r)) copy(outputOf(table, r), inputOf(table, r), bytes);
    } else {
      waitFor(flags + (root << 7), epoch, patience);
      copy(outputOf(table, r), mailbox(mail, root, epoch), bytes);
      post(flags + (r << 7), epoch);
    }
    return epoch;
  }
  barrier(flags, r, n, ++epoch, patience);
  broadcastSlice(table, r, n, bytes, root);
  barrier(flags, r, n, ++epoch, patience);
  return epoch;
}
