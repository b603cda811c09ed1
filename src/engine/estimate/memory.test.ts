import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Finetune, finetuneError, memoryOfModel } from '../validation/finetunes';

const memoryOf = (model: string, text: string, gpu = 'a100-80') => memoryOfModel(model, text, gpu);

function near(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual / expected - 1) <= tolerance, `${actual} is not ${expected}`);
}

const ONE = 'microBatch=1,globalBatch=8,seqLen=2048';
const LLAMA2 = 'meta-llama/llama-2-7b-hf';

describe('states of fine-tuning', () => {
  /** Llama 2 7B: 32 layers of 202,383,360 parameters, and 262,148,096 in the tables and the final norm. */
  const layers = 32 * 202_383_360;
  const rest = 262_148_096;
  /** PEFT's own count for adapters of rank 16 beside all products: "trainable params: 39,976,960". */
  const width = 39_976_960 / 16;

  it('keeps the layers of a QLoRA base in 4.127 bits and the tables in 16 (arXiv 2305.14314, section 3)', () => {
    const { stages } = memoryOf(LLAMA2, `${ONE},adapter=qlora,adapterRank=64`);
    near(stages[0].weights, (layers * 4.127) / 8 + 2 * rest + 4 * 64 * width, 1e-4);
  });

  it('trains adapters in fp32, as PEFT casts them, and in 16 bits where a stack does', () => {
    const peft = memoryOf(LLAMA2, `${ONE},adapter=lora,adapterRank=16`).stages[0];
    near(peft.gradients, 4 * 16 * width, 1e-9);
    near(peft.optimizer, 8 * 16 * width, 1e-9);
    const half = memoryOf(LLAMA2, `${ONE},adapter=lora,adapterRank=16,stack=torchtune`).stages[0];
    near(half.optimizer, 4 * 16 * width, 1e-9);
  });

  it('steps the matrices of layers by one moment under Muon, and the rest by two', () => {
    const { optimizer } = memoryOf(LLAMA2, `${ONE},optimizer=muon`).stages[0];
    near(optimizer, 8 * layers + 12 * rest, 1e-9);
  });
});

describe('habits of optimizers', () => {
  const plan = 'microBatch=1,globalBatch=1,seqLen=512,recompute=full,optimizer=adamw8bit,stack=torchtune';
  const memory = (kernels: string) => memoryOf('meta-llama/llama-3.1-8b', `${plan},kernels=${kernels}`);

  it('free the gradients of all but the largest tensors where each is stepped as it is made (LOMO, arXiv 2306.09782)', () => {
    // The largest unit of Llama 3.1 8B is its table of 128,256 words of 4,096 numbers; a layer has 218 million.
    near(memory('chunked-loss+optimizer-in-backward').stages[0].gradients, 2 * 128_256 * 4096, 1e-9);
  });

  it('leave the states to the host’s pages (QLoRA, arXiv 2305.14314, section 3): two moments of a byte', () => {
    const { hostBytes, stages } = memory('chunked-loss+paged-optimizer');
    near(hostBytes, 2 * 8_030_261_248, 1e-9);
    assert.equal(stages[0].optimizer, 0);
    assert.equal(memory('chunked-loss').hostBytes, 0);
  });
});

describe('what FSDP gathers of a frozen base', () => {
  // Two units of a layer: 202,383,360 parameters each; what is frozen has no gradients.
  const buffers = (adapter: string) =>
    memoryOf(LLAMA2, `gpus=2,dp=2,${ONE},sharding=zero3,kernels=fused-linear-loss,adapterRank=64,adapter=${adapter}`)
      .stages[0].buffers;

  it('is 4.127 bits a parameter under QLoRA (arXiv 2305.14314, section 3) and 16 under LoRA', () => {
    near(buffers('qlora'), (2 * 202_383_360 * 4.127) / 8, 1e-6);
    near(buffers('lora'), 2 * 202_383_360 * 2, 1e-6);
  });
});

describe('offloading', () => {
  const zero = `gpus=8,dp=8,gpusPerNode=8,microBatch=1,globalBatch=8,seqLen=512,stack=deepspeed`;

  it('puts 16 bytes a parameter on the host (DeepSpeed, estimate_zero3_model_states_mem_needs without its factor of 1.5)', () => {
    const { hostBytes, stages } = memoryOf(LLAMA2, `${zero},sharding=zero3,offload=optimizer`);
    near(hostBytes, 16 * 6_738_415_616, 1e-6);
    assert.equal(stages[0].optimizer, 0);
  });

  it('leaves nothing there without', () => {
    assert.equal(memoryOf(LLAMA2, `${zero},sharding=zero3`).hostBytes, 0);
  });
});

describe('what a pipeline keeps', () => {
  it('is two stages under DualPipe (README of deepseek-ai/DualPipe)', () => {
    const plan = 'gpus=4,dp=1,pp=4,microBatch=1,globalBatch=16,seqLen=2048,sharding=none';
    const one = memoryOf(LLAMA2, `${plan},schedule=1f1b`).stages[1];
    const two = memoryOf(LLAMA2, `${plan},schedule=dualpipe`).stages[1];
    assert.equal(two.weights, 2 * one.weights);
  });

  it('fits DeepSeek-V3 on its own layout: 2,048 H800, PP 16, EP 64, no TP (arXiv 2412.19437, section 3)', () => {
    const plan =
      'gpus=2048,dp=128,pp=16,ep=64,microBatch=1,globalBatch=15360,seqLen=4096,sharding=zero1,schedule=dualpipe';
    const report = 'dtype=fp8,recompute=selective,recomputeOps=mla_up_proj+layernorm+moe_act,stack=deepseek';
    assert.equal(memoryOf('deepseek-ai/deepseek-v3', `${plan},${report}`, 'h800-sxm').fits, true);
    assert.equal(memoryOf('deepseek-ai/deepseek-v3', `${plan},dtype=bf16`, 'h800-sxm').fits, false);
  });
});

describe('activations by recomputation', () => {
  const T = 8192;
  const plan = `microBatch=1,globalBatch=8,seqLen=${T},compiled=true,stack=torchtitan,kernels=fused-linear-loss`;
  const kept = (text: string) => memoryOf('meta-llama/llama-3.1-8b', `${plan},${text}`).stages[0].activations;

  it('by operator keeps a layer’s input, attention’s output and every second product (torchtitan, activation_checkpoint.py)', () => {
    // h = 4096: input, attention, q, v = h/4, gate = 3.5 h and down in 16 bits; the log-sum-exp of 32 heads in fp32.
    const layer = T * (2 * 4096 * (1 + 1 + 1 + 1 / 4 + 3.5 + 1) + 4 * 32);
    // The working layer: what 31 more layers keep is 31/32 of the difference between 32 layers and one.
    const one = kept('recompute=selective,recomputeOps=op,layers=1');
    near(kept('recompute=selective,recomputeOps=op') - one, 31 * layer, 1e-9);
  });

  it('by operator keeps no product of experts, whose grouped products are none of the operators listed (torchtitan)', () => {
    const moe = (text: string) => {
      const setup = `${plan},recompute=selective,recomputeOps=op,${text}`;
      return memoryOf('mistralai/mixtral-8x7b-v0.1', setup).stages[0].activations;
    };
    // h = 4096: input, attention, q and v = h/4 in 16 bits; the log-sum-exp of 32 heads in fp32.
    near(moe('layers=32') - moe('layers=1'), 31 * T * (2 * 4096 * (1 + 1 + 1 + 1 / 4) + 4 * 32), 1e-9);
  });

  it('in full keeps a layer’s input', () => {
    near(kept('recompute=full') - kept('recompute=full,layers=1'), 31 * 2 * T * 4096, 1e-9);
  });

  it('take twice the bytes in fp32', () => {
    const whole = ['bf16', 'fp32'].map(
      dtype => memoryOf(LLAMA2, `${ONE},stack=torchtune,compiled=true,dtype=${dtype}`).stages[0].activations,
    );
    near(whole[1], 2 * whole[0], 0.02);
  });

  it('of RMSNorm drops its results, which FP8 keeps in one byte (Transformer Engine)', () => {
    const fp8 = `${plan},dtype=fp8,stack=megatron-core`.replace('compiled=true,stack=torchtitan,', '');
    const stage = (ops: string) =>
      memoryOf('meta-llama/llama-3.1-8b', `${fp8},recompute=selective,recomputeOps=${ops}`).stages[0].activations;
    // By layer two results of h, a byte each, against the log-sum-exp of 32 heads; the layer at hand has its own again.
    near(stage('core_attn') - stage('layernorm'), 31 * T * (2 * 4096 - 4 * 32), 1e-9);
  });
});

describe('gradients that the backward pass makes', () => {
  const plan = 'seqLen=4096,stack=torchtune,kernels=chunked-loss,compiled=true,recompute=full';
  const stage = (text: string) => memoryOf(LLAMA2, `${plan},${text}`).stages[0];
  // 6.74 billion parameters (arXiv 2307.09288) in bf16.
  const all = 2 * 6.738415616e9;

  it('take the place of activations where a step on one device has one micro-batch', () => {
    const [one, two] = [stage('microBatch=1,globalBatch=1'), stage('microBatch=1,globalBatch=2')];
    near(two.gradients, all, 1e-9);
    // The inputs of 32 layers are gone when the last gradient is there; the allocator holds 2 % beside both.
    near(two.total - one.total, 1.02 * 32 * 2 * 4096 * 4096, 1e-9);
  });

  it('are not there at the loss, where activations are more than they', () => {
    const long = 'seqLen=32768,microBatch=1,recompute=none';
    const [one, two] = [stage(`${long},globalBatch=1`), stage(`${long},globalBatch=2`)];
    near(two.total - one.total, all * (1 + 0.02), 1e-9);
  });

  it('have buffers from the start in Megatron and DeepSpeed, and among replicas', () => {
    for (const text of ['stack=megatron', 'stack=deepspeed', 'gpus=2,dp=2,stack=torchtune']) {
      near(
        stage(`${text},microBatch=1,globalBatch=${text.includes('dp=2') ? 2 : 1},gradDtype=bf16`).gradients,
        all,
        1e-9,
      );
    }
  });

  it('leave full fine-tuning on one device within 8 % of torchtune’s table', () => {
    const rows = JSON.parse(readFileSync('test/fixtures/memory/finetunes.json', 'utf8')) as Finetune[];
    const full = rows.filter(({ name }) => name.startsWith('Llama 3.2 3B, full'));
    assert.equal(full.length, 4);
    for (const row of full) assert.ok(Math.abs(finetuneError(row)) <= 0.08, `${row.name}: ${finetuneError(row)}`);
  });
});

describe('published peaks of fine-tuning, to which nothing is fitted', () => {
  const rows = JSON.parse(readFileSync('test/fixtures/memory/finetunes.json', 'utf8')) as Finetune[];
  const errors = rows.map(finetuneError);

  it('are met within 10 % on average', () => {
    const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
    assert.ok(mean <= 0.1, `${(100 * mean).toFixed(1)} %`);
  });

  rows.forEach(({ name }, i) => {
    it(`${name}: within 32 %`, () => {
      assert.ok(Math.abs(errors[i]) <= 0.32, `${(100 * errors[i]).toFixed(1)} %`);
    });
  });
});
