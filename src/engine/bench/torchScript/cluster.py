"""Cluster benchmark, written by MeshLens. It needs PyTorch 1.13 or newer and nothing else.

It measures collectives by size and group, products, copies, attention, overlap and one training step of a layer stack:
NCCL on GPUs, gloo on CPUs. Rank 0 writes one JSON file, which `meshlens bench import` and `bench fit` read.
"""
import argparse
import json
import os
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F

PLAN = json.loads(r'''@PLAN@''')
SHARES = {"collective": 0.45, "product": 0.2, "memory": 0.05, "attention": 0.1, "overlap": 0.08, "step": 0.12}
OPS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "send-recv")
WARM_UPS, FEWEST_ROUNDS, MOST_ROUNDS = 5, 5, 40


class Bench:
    def __init__(self, options):
        self.options = options
        self.gpu = torch.cuda.is_available()
        self.rank = int(os.environ["RANK"])
        self.world = int(os.environ["WORLD_SIZE"])
        self.local = int(os.environ.get("LOCAL_WORLD_SIZE", self.world))
        if self.gpu:
            torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", 0)))
        self.device = torch.device("cuda", torch.cuda.current_device()) if self.gpu else torch.device("cpu")
        self.dtype = torch.bfloat16 if self.gpu else torch.float32
        dist.init_process_group("nccl" if self.gpu else "gloo")
        self.results = []
        self.skipped = []
        self.started = time.perf_counter()

    def wait(self):
        if self.gpu:
            torch.cuda.synchronize()

    def slowest(self, values):
        """Of each sample, the slowest rank's."""
        t = torch.tensor(values, dtype=torch.float64, device=self.device)
        dist.all_reduce(t, op=dist.ReduceOp.MAX)
        return t.tolist()

    def left(self):
        """Seconds of the time at hand, alike on all ranks."""
        return self.options.seconds - self.slowest([time.perf_counter() - self.started])[0]

    def by_rank(self, value):
        t = torch.zeros(self.world, dtype=torch.float64, device=self.device)
        t[self.rank] = value
        dist.all_reduce(t)
        return t.tolist()

    def timed(self, call, calls=1):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        self.wait()
        return (time.perf_counter() - start) / calls

    def attempt(self, what, make):
        """Makes a call and tries it; None on all ranks where it fails on one."""
        call, why = None, ""
        try:
            call = make()
            call()
            self.wait()
        except (RuntimeError, ValueError, AttributeError, NotImplementedError) as error:
            why = str(error).split("\n")[0][:200]
            call = None
        if self.slowest([1.0 if call is None else 0.0])[0] > 0:
            self.skipped.append({"what": what, "reason": why})
            return None
        return call

    def measure(self, kind, fields, make, budget):
        """Adds a measurement; returns it, or None where it cannot be made in the budget."""
        found = self.measure_all(kind, [(fields, make)], budget)
        return found[0] if found else None

    def measure_all(self, kind, points, budget):
        """Adds measurements of calls from short to long, up to the first that fails or is too slow; returns them.

        Rounds over all of them: what disturbs the machine for a while disturbs all alike.
        """
        ready = []
        spent = 0.0
        for fields, make in points:
            what = " ".join(str(value) for value in [kind] + list(fields.values()))
            call = self.attempt(what, make)
            if call is None:
                break
            once = self.slowest([self.timed(call)])[0]
            if 8 * (spent + once) > budget:
                self.skipped.append({"what": what, "reason": "too slow for the time at hand"})
                break
            spent += once
            calls = max(1, min(1000, int(1e-3 / max(once, 1e-7))))
            for _ in range(WARM_UPS if 20 * once < budget else 1):
                call()
            ready.append((fields, call, calls, []))
        self.wait()
        start = time.perf_counter()
        rounds = 0
        while ready and rounds < MOST_ROUNDS:
            most = budget if rounds >= FEWEST_ROUNDS else 2 * budget
            if self.slowest([time.perf_counter() - start])[0] > most:
                break
            for _, call, calls, own in ready:
                dist.barrier()
                own.append(self.timed(call, calls))
            rounds += 1
        found = [self.result(kind, fields, own) for fields, _, _, own in ready]
        self.results += found
        return found

    def result(self, kind, fields, own):
        ranks = self.by_rank(sorted(own)[len(own) // 2])
        found = dict(fields, kind=kind, slowestRank=ranks.index(max(ranks)), fastestRankSeconds=min(ranks))
        found.update(statistics(self.slowest(own)))
        return found


def statistics(samples):
    s = sorted(samples)
    n = len(s)

    def at(q):
        low = int(q * (n - 1))
        return s[low] + (s[min(low + 1, n - 1)] - s[low]) * (q * (n - 1) - low)

    median = at(0.5)
    spread = (at(0.75) - at(0.25)) / median
    return {"samples": n, "medianSeconds": median, "p95Seconds": at(0.95), "leastSeconds": s[0], "spread": spread}


def partitions(bench):
    """Names and lists of ranks: the world, nodes, across nodes, and each axis of the plan's mesh."""
    world, local = bench.world, bench.local
    found = [("world", [list(range(world))])]
    if world > local:
        nodes = world // local
        found.append(("node", [list(range(n * local, (n + 1) * local)) for n in range(nodes)]))
        found.append(("across", [[n * local + i for n in range(nodes)] for i in range(local)]))
    axes = PLAN["axes"]
    size = 1
    for axis in axes:
        size *= axis["size"]
    if size != world:
        bench.skipped.append({"what": "mesh axes", "reason": "the plan has %d ranks, this run %d" % (size, world)})
        return found
    stride = 1
    for axis in axes:
        n = axis["size"]
        if 1 < n < world:
            starts = [r for r in range(world) if (r // stride) % n == 0]
            found.append((axis["name"], [[r + i * stride for i in range(n)] for r in starts]))
        stride *= n
    return found


def collective(bench, op, bytes_, ranks, group):
    """The call: bytes as nccl-tests counts, all-gather total output, reduce-scatter and all-to-all total input."""
    n = len(ranks)
    count = bytes_ // (2 if bench.gpu else 4)
    whole = torch.ones(count, dtype=bench.dtype, device=bench.device)
    if op == "all-reduce":
        return lambda: dist.all_reduce(whole, group=group)
    if op == "broadcast":
        return lambda: dist.broadcast(whole, ranks[0], group=group)
    if op == "send-recv":
        at = ranks.index(bench.rank)
        peer = ranks[at ^ 1] if at ^ 1 < n else None

        def there_and_back():
            if peer is None:
                return
            if at % 2 == 0:
                dist.send(whole, peer, group=group)
                dist.recv(whole, peer, group=group)
            else:
                dist.recv(whole, peer, group=group)
                dist.send(whole, peer, group=group)

        return there_and_back
    if op == "all-to-all":
        out = torch.empty_like(whole)
        return lambda: dist.all_to_all_single(out, whole, group=group)
    part = torch.ones(count // n, dtype=bench.dtype, device=bench.device)
    if not bench.gpu:
        parts = list(whole.chunk(n))
        if op == "all-gather":
            return lambda: dist.all_gather(parts, part, group=group)
        return lambda: dist.reduce_scatter(part, parts, group=group)
    if op == "all-gather":
        gather = getattr(dist, "all_gather_into_tensor", None) or dist._all_gather_base
        return lambda: gather(whole, part, group=group)
    scatter = getattr(dist, "reduce_scatter_tensor", None) or dist._reduce_scatter_base
    return lambda: scatter(part, whole, group=group)


def collectives(bench, budget):
    largest = bench.options.largest or (2**30 if bench.gpu else 2**24)
    sizes = [2**k for k in range(10, 41, 2) if 2**k <= largest]
    found = partitions(bench)
    end = bench.left() - budget
    todo = len(found) * len(OPS)
    for name, parts in found:
        own, group = None, None
        for ranks in parts:
            made = dist.new_group(ranks)
            if bench.rank in ranks:
                own, group = ranks, made
        n = len(own)
        nodes = len(set(r // bench.local for r in own))
        for op in OPS:

            def point(size):
                bytes_ = size // (4 * n) * (4 * n)
                fields = {"op": op, "bytes": bytes_, "ranks": n, "group": name, "nodes": nodes}
                return fields, lambda: collective(bench, op, bytes_, own, group)

            each = (bench.left() - end) / todo
            todo -= 1
            measured = bench.measure_all("collective", [point(size) for size in sizes], each)
            if op == "send-recv":
                for one in measured:
                    halve(one)


def halve(one):
    """There and back are two messages."""
    for key in ("medianSeconds", "p95Seconds", "leastSeconds", "fastestRankSeconds"):
        one[key] /= 2


def products(bench, budget):
    squares = [1024, 2048, 4096, 8192] if bench.gpu else [128, 256, 512, 1024]
    shapes = [{"label": "square", "m": n, "k": n, "n": n} for n in squares]
    shapes += [one for one in PLAN["products"] if one["m"] * one["k"] * one["n"] <= bench.options.most_flops / 2]
    name = str(bench.dtype).split(".")[1]
    for shape in shapes:
        m, k, n = shape["m"], shape["k"], shape["n"]

        def make():
            a = torch.randn(m, k, device=bench.device).to(bench.dtype)
            b = torch.randn(k, n, device=bench.device).to(bench.dtype)
            out = torch.empty(m, n, dtype=bench.dtype, device=bench.device)
            return lambda: torch.mm(a, b, out=out)

        bench.measure("product", dict(shape, dtype=name), make, budget / len(shapes))


def memory(bench, budget):
    sizes = [2**k for k in range(20, 31 if bench.gpu else 27, 2)]
    for size in sizes:

        def make():
            a = torch.ones(size // 4, dtype=torch.float32, device=bench.device)
            b = torch.empty_like(a)
            return lambda: b.copy_(a)

        bench.measure("memory", {"op": "copy", "bytes": size}, make, budget / len(sizes))


def attention(bench, budget):
    shape = PLAN["attention"]
    kernel = getattr(F, "scaled_dot_product_attention", None)
    if shape is None or kernel is None:
        bench.skipped.append({"what": "attention", "reason": "no shape in the plan, or PyTorch before 2.0"})
        return
    b, a, s, d = shape["microBatch"], shape["heads"], shape["seqLen"], shape["headDim"]
    if not bench.gpu:
        b, a, s = 1, min(a, 4), min(s, 256)

    def inputs(grad):
        size = (b, a, s, d)
        return [torch.randn(size, device=bench.device).to(bench.dtype).requires_grad_(grad) for _ in range(3)]

    def forward():
        q, k, v = inputs(False)
        return lambda: kernel(q, k, v, is_causal=True)

    def both():
        q, k, v = inputs(True)
        return lambda: kernel(q, k, v, is_causal=True).sum().backward()

    fields = {"microBatch": b, "heads": a, "seqLen": s, "headDim": d}
    bench.measure("attention", dict(fields, passes="forward"), forward, budget / 2)
    bench.measure("attention", dict(fields, passes="forward-backward"), both, budget / 2)


def overlap(bench, budget):
    """A product alone, an all-reduce alone, and both at once: what of the shorter is hidden."""
    n = 4096 if bench.gpu else 256
    count = 2**25 if bench.gpu else 2**18
    a = torch.randn(n, n, device=bench.device).to(bench.dtype)
    out = torch.empty_like(a)
    x = torch.ones(count, dtype=bench.dtype, device=bench.device)
    reduce = bench.slowest([min(bench.timed(lambda: dist.all_reduce(x)) for _ in range(3))])[0]
    product = bench.slowest([min(bench.timed(lambda: torch.mm(a, a, out=out)) for _ in range(3))])[0]
    times = max(1, min(200, round(reduce / product)))

    def compute():
        for _ in range(times):
            torch.mm(a, a, out=out)

    def together():
        work = dist.all_reduce(x, async_op=True)
        compute()
        work.wait()

    for what, call in (("product", compute), ("all-reduce", lambda: dist.all_reduce(x)), ("both", together)):
        bench.measure("overlap", {"what": what, "products": times, "size": n}, lambda: call, budget / 3)


class Layer(torch.nn.Module):
    def __init__(self, hidden, ffn, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = torch.nn.LayerNorm(hidden), torch.nn.LayerNorm(hidden)
        self.qkv, self.out = torch.nn.Linear(hidden, 3 * hidden), torch.nn.Linear(hidden, hidden)
        self.up, self.down = torch.nn.Linear(hidden, ffn), torch.nn.Linear(ffn, hidden)

    def forward(self, x):
        b, s, h = x.shape
        q, k, v = (t.view(b, s, self.heads, -1).transpose(1, 2) for t in self.qkv(self.norm1(x)).chunk(3, dim=-1))
        kernel = getattr(F, "scaled_dot_product_attention", None)
        if kernel is not None:
            y = kernel(q, k, v, is_causal=True)
        else:
            mask = torch.full((s, s), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
            y = torch.softmax(q @ k.transpose(-2, -1) / (h // self.heads) ** 0.5 + mask, dim=-1) @ v
        x = x + self.out(y.transpose(1, 2).reshape(b, s, h))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


def step(bench, budget):
    """One data-parallel training step of two layers, gradients reduced in one piece."""
    shape = PLAN["step"]
    hidden, ffn, heads, seq, micro = (shape[k] for k in ("hidden", "ffn", "heads", "seqLen", "microBatch"))
    if not bench.gpu:
        heads = min(heads, 4)
        hidden, ffn, seq, micro = 32 * heads, 128 * heads, min(seq, 128), 1
    layers = 2
    torch.manual_seed(bench.rank)
    try:
        model = torch.nn.Sequential(*[Layer(hidden, ffn, heads) for _ in range(layers)]).to(bench.device, bench.dtype)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        x = torch.randn(micro, seq, hidden, device=bench.device).to(bench.dtype)
    except RuntimeError as error:
        bench.skipped.append({"what": "step", "reason": str(error).split("\n")[0][:200]})
        return
    parts = {"forward": [], "backward": [], "reduce": [], "optimizer": []}

    def once():
        marks = [time.perf_counter()]

        def mark():
            bench.wait()
            marks.append(time.perf_counter())

        loss = model(x).float().pow(2).mean()
        mark()
        loss.backward()
        mark()
        flat = torch.cat([p.grad.reshape(-1) for p in model.parameters()])
        dist.all_reduce(flat)
        flat /= bench.world
        at = 0
        for p in model.parameters():
            p.grad.copy_(flat[at : at + p.numel()].view_as(p))
            at += p.numel()
        mark()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        mark()
        for name, start, end in zip(parts, marks, marks[1:]):
            parts[name].append(end - start)

    fields = {"layers": layers, "hidden": hidden, "ffn": ffn, "heads": heads, "seqLen": seq, "microBatch": micro}
    fields["parameters"] = sum(p.numel() for p in model.parameters())
    one = bench.measure("step", fields, lambda: once, budget)
    if one is None:
        return
    one["parts"] = {name: sorted(bench.slowest(times))[len(times) // 2] for name, times in parts.items()}
    one["tokensPerSecondPerRank"] = micro * seq / one["medianSeconds"]
    one["peakBytes"] = torch.cuda.max_memory_allocated() if bench.gpu else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default="meshlens-cluster.json")
    parser.add_argument("--seconds", type=float, default=200.0, help="time at hand, without the start")
    parser.add_argument("--largest", type=int, default=0, help="bytes of the largest collective")
    parser.add_argument("--most-flops", type=float, default=1e15, help="of one product")
    options = parser.parse_args()
    bench = Bench(options)
    if not bench.gpu:
        options.most_flops = min(options.most_flops, 2e10)
    sections = (("collective", collectives), ("product", products), ("memory", memory), ("attention", attention))
    sections += (("overlap", overlap), ("step", step))
    rest = 1.0
    for name, section in sections:
        # What took longer than its share is taken from those that follow.
        section(bench, bench.left() * SHARES[name] / rest)
        rest -= SHARES[name]
        if bench.rank == 0:
            print("meshlens: %s done after %.0f s" % (name, time.perf_counter() - bench.started), flush=True)
    if bench.rank == 0:
        head = {
            "format": "meshlens-cluster/1",
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "backend": dist.get_backend(),
            "device": torch.cuda.get_device_name() if bench.gpu else "cpu",
            "world": bench.world,
            "ranksPerNode": bench.local,
            "dtype": str(bench.dtype).split(".")[1],
            "seconds": time.perf_counter() - bench.started,
            "plan": PLAN,
            "measurements": bench.results,
            "skipped": bench.skipped,
        }
        with open(options.out, "w") as file:
            json.dump(head, file, indent=1)
        print("meshlens: wrote %s with %d measurements" % (options.out, len(bench.results)), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
