"""All-reduces of torch.distributed with gloo between two processes: prints `bytes seconds`, the median by size."""
import statistics
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def run(rank: int, ranks: int, sizes: list[int], samples: int) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29571", rank=rank, world_size=ranks)
    for size in sizes:
        buffer = torch.ones(size // 4)
        for _ in range(3):
            dist.all_reduce(buffer)
        times = []
        for _ in range(samples):
            dist.barrier()
            start = time.perf_counter()
            dist.all_reduce(buffer)
            times.append(time.perf_counter() - start)
        slowest = torch.tensor(times, dtype=torch.float64)
        dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
        if rank == 0:
            print(size, statistics.median(slowest.tolist()), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    samples, *sizes = [int(argument) for argument in sys.argv[1:]]
    mp.spawn(run, args=(2, sizes, samples), nprocs=2)
