/** Skeletons of configs that state the model's sizes themselves: complete but for the plan, which a writer puts in. */
import { type ExportSource, machine, textOf } from './source';

/** The global batch, or one micro-batch of each rank where it is not known. */
const wholeBatch = ({ plan }: ExportSource): number => plan.globalBatch ?? (plan.microBatch ?? 1) * (plan.dp ?? 1);

/** Megatron's launch script: mock data and a tokenizer of numbers, so that it runs as it is. */
export function megatron(source: ExportSource): string {
  const { sizes, traits, plan, isPlain } = source;
  const { nodes, perNode } = machine(source);
  const hasExperts = sizes.experts !== null && sizes.experts > 0;
  const option = (name: string, value: number | string | null): string | false =>
    value !== null && `    --${name} ${value}`;
  const flag = (name: string, isOn: boolean): string | false => isOn && `    --${name}`;
  const shared = (sizes.sharedExperts ?? 0) * (sizes.expertFfn ?? 0);
  const model: (string | false)[] = !isPlain
    ? []
    : [
        option('num-layers', sizes.layers),
        option('hidden-size', sizes.hidden),
        option('ffn-hidden-size', sizes.ffn),
        option('num-attention-heads', sizes.heads),
        flag('group-query-attention', sizes.kvHeads !== sizes.heads),
        sizes.kvHeads !== sizes.heads && option('num-query-groups', sizes.kvHeads),
        option('kv-channels', sizes.headDim),
        option('vocab-size', sizes.vocab),
        // The vocabulary as it is, where tp divides it.
        option('make-vocab-size-divisible-by', 1),
        option('position-embedding-type', traits.positionRows > 0 ? 'learned_absolute' : 'rope'),
        option('normalization', traits.norm === 'rms' ? 'RMSNorm' : 'LayerNorm'),
        flag('swiglu', sizes.gatedMlp === true),
        flag('disable-bias-linear', !traits.mlpBias && !traits.outBias),
        flag('add-qkv-bias', traits.qkvBias && !traits.outBias),
        flag('qk-layernorm', traits.qkNorm === 'per-head'),
        flag('untie-embeddings-and-output-weights', sizes.tied !== true),
        hasExperts && option('num-experts', sizes.experts),
        hasExperts && option('moe-router-topk', sizes.topK),
        hasExperts && option('moe-ffn-hidden-size', sizes.expertFfn),
        hasExperts && shared > 0 && option('moe-shared-expert-intermediate-size', shared),
        hasExperts && traits.moe.firstDense > 0
          ? option(
              'moe-layer-freq',
              `([0]*${traits.moe.firstDense}+[1]*${(sizes.layers ?? 0) - traits.moe.firstDense})`,
            )
          : false,
      ];
  return textOf(
    '#!/bin/bash',
    'set -euo pipefail',
    'export CUDA_DEVICE_MAX_CONNECTIONS=1',
    '',
    'LAUNCH=(',
    `    --nproc_per_node ${perNode}`,
    `    --nnodes ${nodes}`,
    ')',
    'MODEL=(',
    ...model,
    option('seq-length', plan.seqLen ?? 4096),
    option('max-position-embeddings', Math.max(plan.seqLen ?? 4096, sizes.maxSeqLen ?? 0)),
    '    --attention-backend flash',
    ')',
    'PARALLEL=(',
    '    --tensor-model-parallel-size 1',
    '    --pipeline-model-parallel-size 1',
    ')',
    'TRAIN=(',
    option('micro-batch-size', plan.microBatch ?? 1),
    option('global-batch-size', wholeBatch(source)),
    '    --train-iters 1000',
    '    --lr 3e-4',
    '    --bf16',
    ')',
    'DATA=(',
    '    --mock-data',
    '    --tokenizer-type NullTokenizer',
    ')',
    'torchrun "${LAUNCH[@]}" pretrain_gpt.py "${MODEL[@]}" "${PARALLEL[@]}" "${TRAIN[@]}" "${DATA[@]}"',
  );
}

/** nanotron; its models are Llamas and Qwen2s. */
export function nanotron({ sizes, traits, plan, isPlain }: ExportSource): string {
  const isMoe = sizes.experts !== null && sizes.experts > 0;
  const fits = isPlain && sizes.gatedMlp === true && traits.norm === 'rms' && traits.qkNorm === 'none';
  const model: (string | false)[] = [
    `    bos_token_id: 1`,
    `    eos_token_id: 2`,
    '    hidden_act: silu',
    `    hidden_size: ${sizes.hidden}`,
    '    initializer_range: 0.02',
    `    intermediate_size: ${sizes.ffn}`,
    `    max_position_embeddings: ${Math.max(plan.seqLen ?? 4096, sizes.maxSeqLen ?? 0)}`,
    `    num_attention_heads: ${sizes.heads}`,
    `    num_hidden_layers: ${sizes.layers}`,
    `    num_key_value_heads: ${sizes.kvHeads}`,
    '    rms_norm_eps: 1.0e-05',
    '    rope_theta: 10000.0',
    `    tie_word_embeddings: ${sizes.tied === true}`,
    '    use_cache: true',
    `    vocab_size: ${sizes.vocab}`,
    traits.qkvBias || isMoe ? '    is_qwen2_config: true' : '    is_llama_config: true',
    ...(isMoe
      ? [
          `    attention_bias: ${traits.qkvBias}`,
          '    moe_config:',
          `      num_experts: ${sizes.experts}`,
          `      top_k: ${sizes.topK}`,
          `      moe_intermediate_size: ${sizes.expertFfn}`,
        ]
      : []),
  ];
  return textOf(
    'general:',
    '  project: exported',
    '  run: exported',
    '  seed: 42',
    'checkpoints:',
    '  checkpoints_path: checkpoints',
    '  checkpoint_interval: 1000',
    'data_stages:',
    '- name: Training',
    '  start_training_step: 1',
    '  data:',
    '    dataset:',
    '      hf_dataset_or_datasets: stas/openwebtext-10k',
    '      hf_dataset_splits: train',
    '      text_column_name: text',
    '    num_loading_workers: 1',
    '    seed: 42',
    'model:',
    '  dtype: bfloat16',
    '  init_method:',
    '    std: 0.025',
    '  model_config:',
    ...(fits ? model : ['    is_llama_config: true']),
    'tokenizer:',
    '  tokenizer_name_or_path: TOKENIZER',
    'optimizer:',
    '  zero_stage: 0',
    '  weight_decay: 0.01',
    '  clip_grad: 1.0',
    '  accumulate_grad_in_fp32: true',
    '  learning_rate_scheduler:',
    '    learning_rate: 0.0003',
    '    lr_warmup_steps: 100',
    '    lr_decay_style: cosine',
    '    min_decay_lr: 1.0e-05',
    '  optimizer_factory:',
    '    name: adamW',
    '    adam_beta1: 0.9',
    '    adam_beta2: 0.95',
    '    adam_eps: 1.0e-08',
    '    torch_adam_is_fused: true',
    'parallelism:',
    `  dp: ${plan.dp ?? 1}`,
    `  tp: ${plan.tp ?? 1}`,
    `  pp: ${plan.pp ?? 1}`,
    `  context_parallel_size: ${plan.cp ?? 1}`,
    '  pp_engine: 1f1b',
    '  tp_mode: ALL_REDUCE',
    '  tp_linear_async_communication: false',
    'tokens:',
    `  sequence_length: ${plan.seqLen ?? 4096}`,
    '  micro_batch_size: 1',
    '  batch_accumulation_per_replica: 1',
    '  train_steps: 1000',
    '  val_check_interval: -1',
  );
}

/** NeMo 1's megatron_gpt_config. */
export function nemo(source: ExportSource): string {
  const { sizes, traits, plan, isPlain, hub } = source;
  const { nodes, perNode } = machine(source);
  const activation = sizes.gatedMlp === true ? 'fast-swiglu' : 'gelu';
  const isMoe = sizes.experts !== null && sizes.experts > 0;
  const model: (string | false)[] = [
    `  num_layers: ${sizes.layers}`,
    `  hidden_size: ${sizes.hidden}`,
    `  ffn_hidden_size: ${sizes.ffn}`,
    `  num_attention_heads: ${sizes.heads}`,
    `  num_query_groups: ${sizes.kvHeads}`,
    `  kv_channels: ${sizes.headDim}`,
    `  normalization: ${traits.norm === 'rms' ? 'rmsnorm' : 'layernorm'}`,
    `  bias: ${traits.mlpBias || traits.outBias}`,
    traits.qkvBias && !traits.outBias ? '  add_qkv_bias: true' : false,
    traits.qkNorm === 'per-head' ? '  qk_layernorm: true' : false,
    `  activation: ${activation}`,
    `  position_embedding_type: ${traits.positionRows > 0 ? 'learned_absolute' : 'rope'}`,
    `  share_embeddings_and_output_weights: ${sizes.tied === true}`,
    ...(isMoe
      ? [
          `  num_moe_experts: ${sizes.experts}`,
          `  moe_router_topk: ${sizes.topK}`,
          `  moe_ffn_hidden_size: ${sizes.expertFfn}`,
        ]
      : []),
  ];
  return textOf(
    'name: exported',
    'trainer:',
    `  devices: ${perNode}`,
    `  num_nodes: ${nodes}`,
    '  accelerator: gpu',
    `  precision: ${plan.dtype === 'fp16' ? '16' : plan.dtype === 'fp32' ? '32' : 'bf16'}`,
    '  logger: false',
    '  enable_checkpointing: false',
    '  use_distributed_sampler: false',
    '  max_steps: 1000',
    '  gradient_clip_val: 1.0',
    'exp_manager:',
    '  exp_dir: ./outputs',
    '  name: exported',
    'model:',
    '  mcore_gpt: true',
    `  micro_batch_size: ${plan.microBatch ?? 1}`,
    `  global_batch_size: ${wholeBatch(source)}`,
    '  tensor_model_parallel_size: 1',
    '  pipeline_model_parallel_size: 1',
    '  context_parallel_size: 1',
    '  sequence_parallel: false',
    `  encoder_seq_length: ${plan.seqLen ?? 4096}`,
    `  max_position_embeddings: ${Math.max(plan.seqLen ?? 4096, sizes.maxSeqLen ?? 0)}`,
    ...(isPlain ? model : []),
    '  make_vocab_size_divisible_by: 1',
    '  megatron_amp_O2: true',
    '  tokenizer:',
    '    library: huggingface',
    `    type: ${hub ?? 'TOKENIZER'}`,
    '  data:',
    '    data_impl: mock',
    '    data_prefix: []',
    '    splits_string: 99,1,0',
    `    seq_length: ${plan.seqLen ?? 4096}`,
    '  optim:',
    '    name: fused_adam',
    '    lr: 0.0003',
    '    weight_decay: 0.1',
    '    sched:',
    '      name: CosineAnnealing',
    '      warmup_steps: 100',
    '      min_lr: 0.00003',
  );
}

/** GPT-NeoX; a gated feed-forward's stated width is three times the real one. */
export function gptNeox(source: ExportSource): string {
  const { sizes, traits, plan, isPlain } = source;
  const gated = sizes.gatedMlp === true;
  const isMoe = sizes.experts !== null && sizes.experts > 0;
  const fits = isPlain && sizes.headDim !== null && sizes.headDim * (sizes.heads ?? 0) === sizes.hidden;
  const model: (string | false)[] = [
    `num_layers: ${sizes.layers}`,
    `hidden_size: ${sizes.hidden}`,
    `num_attention_heads: ${sizes.heads}`,
    `num_kv_heads: ${sizes.kvHeads}`,
    `intermediate_size: ${(sizes.ffn ?? 0) * (gated ? 3 : 1)}`,
    `activation: ${gated ? 'swiglu' : 'gelu'}`,
    `norm: ${traits.norm === 'rms' ? 'rmsnorm' : 'layernorm'}`,
    `pos_emb: ${traits.positionRows > 0 ? 'learned' : 'rotary'}`,
    `no_weight_tying: ${sizes.tied !== true}`,
    `use_bias_in_attn_linear: ${traits.outBias}`,
    `use_bias_in_mlp: ${traits.mlpBias}`,
    'make_vocab_size_divisible_by: 1',
    ...(isMoe ? [`moe_num_experts: ${sizes.experts}`, `moe_top_k: ${sizes.topK}`, 'expert_interval: 1'] : []),
  ];
  return textOf(
    ...(fits ? model : []),
    `seq_length: ${plan.seqLen ?? 2048}`,
    `max_position_embeddings: ${Math.max(plan.seqLen ?? 2048, sizes.maxSeqLen ?? 0)}`,
    `attention_config: [[["${plan.attention === 'unfused' ? 'global' : 'flash'}"], ${sizes.layers ?? 1}]]`,
    'pipe_parallel_size: 1',
    'model_parallel_size: 1',
    'train_micro_batch_size_per_gpu: 1',
    'gradient_accumulation_steps: 1',
    'checkpoint_activations: false',
    'zero_optimization:',
    '  stage: 0',
    ...(plan.dtype === 'fp16'
      ? ['fp16:', '  enabled: true']
      : [`precision: ${plan.dtype === 'fp32' ? 'fp32' : 'bfloat16'}`]),
    'optimizer:',
    '  type: Adam',
    '  params:',
    '    lr: 0.0003',
    '    betas: [0.9, 0.95]',
    '    eps: 1.0e-8',
    'min_lr: 0.00003',
    'gradient_clipping: 1.0',
    'weight_decay: 0.1',
    'train_iters: 1000',
    'lr_decay_iters: 1000',
    'lr_decay_style: cosine',
    'warmup: 0.01',
    'data_path: DATA',
    'tokenizer_type: HFTokenizer',
    'vocab_file: TOKENIZER',
  );
}
