/** Help at the keys of fine-tuning, reinforcement and JAX configs, and exports into other frameworks. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, lensTitles, open, product, workspaceFile } from './support';

interface Config {
  readonly text: string;
  /** What stands before the degree of tensor parallelism, which is 2. */
  readonly degree: string;
}

const CONFIGS: Readonly<Record<string, Config>> = {
  'maxtext.yml': {
    text: 'base_config: base.yml\nmodel_name: llama3.1-8b\nper_device_batch_size: 1\nmax_target_length: 4096\nici_tensor_parallelism: 2\ngradient_accumulation_steps: 4\n',
    degree: 'ici_tensor_parallelism: ',
  },
  'internevo.py': {
    text: `model_type = "LLAMA2"
data = dict(seq_len=4096, micro_num=4, micro_bsz=1)
model = dict(num_layers=32, hidden_size=4096, num_attention_heads=32, num_kv_attention_heads=8, vocab_size=32000, mlp_ratio=3.5, no_bias=True, dtype="torch.bfloat16")
parallel = dict(
    zero1=dict(size=-1),
    tensor=dict(size=2, mode="msp"),
    pipeline=dict(size=1),
)
`,
    degree: 'tensor=dict(size=',
  },
  'verl.sh': {
    text: `python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer \\
    actor_rollout_ref.model.path=Qwen/Qwen3-8B \\
    data.max_prompt_length=1024 data.max_response_length=3072 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1 \\
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 \\
    trainer.n_gpus_per_node=8 trainer.nnodes=2
`,
    degree: 'tensor_model_parallel_size=',
  },
  'openrlhf.sh': {
    text: `deepspeed --module openrlhf.cli.train_sft \\
   --model.model_name_or_path Qwen/Qwen3-8B \\
   --data.max_len 4096 \\
   --train.batch_size 64 \\
   --train.micro_batch_size 1 \\
   --ds.zero_stage 3 \\
   --ds.tensor_parallel_size 2
`,
    degree: '--ds.tensor_parallel_size ',
  },
  'torchtune.yaml': {
    text: `model: { _component_: torchtune.models.llama3_1.llama3_1_8b }
tokenizer: { _component_: torchtune.models.llama3.llama3_tokenizer, max_seq_len: 4096 }
dataset: { _component_: torchtune.datasets.alpaca_dataset }
optimizer: { _component_: torch.optim.AdamW }
dtype: bf16
batch_size: 1
gradient_accumulation_steps: 4
tensor_parallel_dim: 2
tensor_parallel_plan: { _component_: torchtune.models.llama3.base_llama_tp_plan }
`,
    degree: 'tensor_parallel_dim: ',
  },
};

async function opened(name: string): Promise<vscode.TextDocument> {
  const { text } = CONFIGS[name] ?? { text: '' };
  const write = (file: string, content: string) =>
    vscode.workspace.fs.writeFile(workspaceFile('kinds', name, file), new TextEncoder().encode(content));
  await write('meshlens.json', '{ "cluster": { "gpu": "h100-sxm", "gpus": 16, "nodes": 2, "gpusPerNode": 8 } }');
  await write(name, text);
  const document = await open('kinds', name, name);
  await (await product()).setups.ensure(document);
  return document;
}

/** Inside the number that follows. */
function degreeOf(document: vscode.TextDocument, before: string): vscode.Position {
  const at = document.getText().indexOf(before);
  assert.notEqual(at, -1);
  return document.positionAt(at + before.length + 1);
}

describe('help in configs of more kinds', () => {
  before(product);
  afterEach(closeAll);

  for (const [name, { degree }] of Object.entries(CONFIGS)) {
    it(`${name}: a lens, a hover with numbers and legal values`, async () => {
      const document = await opened(name);
      assert.match((await lensTitles(document.uri))[0] ?? '', /params/);
      const place = degreeOf(document, degree);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        place,
      );
      const text = hovers
        .flatMap(({ contents }) => contents)
        .map(content => (typeof content === 'string' ? content : content.value))
        .join('\n');
      assert.match(text, /\*\*tensor parallelism \(tp\)\*\* = 2 \(stated here\)/);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        place,
      );
      const ours = list.items.flatMap(({ label }) =>
        typeof label !== 'string' && (label.description ?? '').includes(' GB') ? [label.label] : [],
      );
      assert.ok(
        ['1', '2', '4', '8'].every(value => ours.includes(value)),
        ours.join(),
      );
    });
  }
});

describe('exports', () => {
  before(product);
  afterEach(async () => {
    await closeAll();
    for (const name of ['megatron', 'megatron-2', 'axolotl'])
      await vscode.workspace.fs
        .delete(workspaceFile('llama-3.1-8b', name), { recursive: true })
        .then(undefined, () => undefined);
  });

  const exported = async (to: string): Promise<readonly vscode.Uri[]> => {
    const { uri } = await open('llama-3.1-8b', 'train.json');
    const files = await vscode.commands.executeCommand<readonly vscode.Uri[]>('meshlens.exportTo', uri, to);
    return files ?? [];
  };

  it('are new files in a folder of their own, which read as the plan', async () => {
    const { setups } = await product();
    const [script] = await exported('megatron');
    assert.ok(script !== undefined);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, script.path);
    const view = await setups.ensure(await vscode.workspace.openTextDocument(script));
    const { plan, model } = view?.answer.document.setup ?? {};
    // What examples/llama-3.1-8b/train.json states.
    assert.deepEqual([plan?.tp, plan?.pp, plan?.dp, plan?.seqLen, model?.layers], [4, 2, 2, 4096, 32]);
    const [second] = await exported('megatron');
    assert.match(second?.path ?? '', /megatron-2\/megatron\.sh$/);
  });

  it('say at their head what they cannot carry', async () => {
    const [config] = await exported('axolotl');
    assert.ok(config !== undefined);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(config));
    assert.match(text, /# {3}- pp = 2 is 1 here\n/);
  });
});
