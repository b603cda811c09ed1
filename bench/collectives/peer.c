/* Times MPI collectives as src/node/collectives/timed.ts does: peer SAMPLES WARMUPS SAMPLE_SECONDS OP BYTES [OP BYTES ...]
   Prints a line a point: op bytes median_seconds, of the slowest rank of each sample. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void call(const char *op, const float *in, float *out, int count, int part, int rank) {
  if (!strcmp(op, "all-reduce")) MPI_Allreduce(in, out, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  else if (!strcmp(op, "reduce-scatter")) MPI_Reduce_scatter_block(in, out, part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  else if (!strcmp(op, "all-gather")) MPI_Allgather(in, part, MPI_FLOAT, out, part, MPI_FLOAT, MPI_COMM_WORLD);
  else if (!strcmp(op, "all-to-all")) MPI_Alltoall(in, part, MPI_FLOAT, out, part, MPI_FLOAT, MPI_COMM_WORLD);
  else if (!strcmp(op, "broadcast")) MPI_Bcast(out, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
  else if (!strcmp(op, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
  else if (rank == 0) {
    MPI_Send(in, count, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(out, count, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(out, count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(in, count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int ranks, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int samples = atoi(argv[1]);
  int warmups = atoi(argv[2]);
  double sample_seconds = atof(argv[3]);
  double *seconds = malloc(samples * sizeof *seconds);
  size_t most = 4096;
  for (int i = 5; i < argc; i += 2) if ((size_t)atoll(argv[i]) > most) most = atoll(argv[i]);
  float *in = aligned_alloc(4096, most + 4096), *out = aligned_alloc(4096, most + 4096);
  for (size_t i = 0; i < (most + 4096) / 4; i++) in[i] = out[i] = 1;

  for (int i = 4; i + 1 < argc; i += 2) {
    const char *op = argv[i];
    size_t bytes = atoll(argv[i + 1]);
    int count = bytes / 4, part = count / ranks > 0 ? count / ranks : 1;
    double guess = 5e-7 + bytes / 4e9;
    int batch = sample_seconds / guess + 0.5;
    batch = batch < 1 ? 1 : batch > 2000 ? 2000 : batch;
    for (int s = -warmups; s < samples; s++) {
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      for (int k = 0; k < batch; k++) call(op, in, out, count, part, rank);
      double own = (MPI_Wtime() - start) / batch, slowest;
      MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (s >= 0) seconds[s] = strcmp(op, "send-recv") ? slowest : slowest / 2;
    }
    qsort(seconds, samples, sizeof *seconds, ascending);
    if (rank == 0) printf("%s %zu %.9f\n", op, bytes, seconds[samples / 2]);
  }
  MPI_Finalize();
  return 0;
}
