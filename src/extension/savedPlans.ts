/** Plans that the user keeps for a config, in the workspace's memory: the view of them, saving, applying, deleting. */
import * as vscode from 'vscode';
import { formatPlan } from '../engine/plan/keys';
import { PLAN_WORDS, savedPlanTooltip } from '../words/editor';
import { enter } from './ask';
import type { Setups } from './setups';

export interface SavedPlan {
  readonly name: string;
  readonly uri: string;
  readonly planString: string;
  /** What the engine said when it was saved; null where it was not known. */
  readonly stepSeconds: number | null;
  readonly peakBytes: number | null;
}

const PLANS = 'meshlens.plans';

export class SavedPlans implements vscode.TreeDataProvider<SavedPlan>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {}

  all(): readonly SavedPlan[] {
    return this.memory.get<readonly SavedPlan[]>(PLANS, []);
  }

  async save(plan: SavedPlan): Promise<void> {
    const others = this.all().filter(({ name, uri }) => name !== plan.name || uri !== plan.uri);
    await this.memory.update(PLANS, [...others, plan]);
    this.changed.fire();
  }

  /** Saves a plan of a config under a name that is asked for: the one given, else the config's own. */
  async saveOf(uri: vscode.Uri, setups: Setups, given: unknown): Promise<void> {
    const document = setups.view(uri)?.answer.document;
    const isOwn = typeof given !== 'string';
    const planString = isOwn ? (document === undefined ? '' : formatPlan(document.setup.plan)) : given;
    if (planString === '') return void vscode.window.showInformationMessage(PLAN_WORDS.nothing);
    const name = await enter({ title: PLAN_WORDS.nameTitle, value: shortName(planString) });
    if (name === undefined || name.trim() === '') return;
    await this.save({
      name: name.trim(),
      uri: uri.toString(),
      planString,
      stepSeconds: isOwn ? (document?.throughput.stepSeconds ?? null) : null,
      peakBytes: isOwn ? (document?.memory.peakBytes ?? null) : null,
    });
  }

  /** The argument of a command that was called on an entry of the view. */
  async removeNode(node: unknown): Promise<void> {
    const plan = this.all().find(saved => saved === node || isSame(saved, node));
    if (plan !== undefined) await this.remove(plan);
  }

  private async remove(plan: SavedPlan): Promise<void> {
    const others = this.all().filter(({ name, uri }) => name !== plan.name || uri !== plan.uri);
    await this.memory.update(PLANS, others);
    this.changed.fire();
  }

  getChildren(parent?: SavedPlan): SavedPlan[] {
    return parent === undefined ? [...this.all()] : [];
  }

  getTreeItem(plan: SavedPlan): vscode.TreeItem {
    const item = new vscode.TreeItem(plan.name);
    item.id = `${plan.uri}#${plan.name}`;
    item.description = vscode.workspace.asRelativePath(vscode.Uri.parse(plan.uri));
    item.tooltip = savedPlanTooltip(plan);
    item.iconPath = new vscode.ThemeIcon('bookmark');
    item.contextValue = 'plan';
    item.command = {
      command: 'meshlens.applyPlan',
      title: 'MeshLens',
      arguments: [vscode.Uri.parse(plan.uri), plan.planString],
    };
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** `dp2 tp4 pp2`: the degrees above one. */
function shortName(planString: string): string {
  const degrees = planString.split(',').flatMap(pair => {
    const [key = '', value = ''] = pair.split('=');
    return ['dp', 'tp', 'cp', 'pp', 'vpp', 'ep'].includes(key) && value !== '1' ? [`${key}${value}`] : [];
  });
  return degrees.join(' ');
}

function isSame(plan: SavedPlan, node: unknown): boolean {
  return (
    typeof node === 'object' &&
    node !== null &&
    'name' in node &&
    'uri' in node &&
    node.name === plan.name &&
    node.uri === plan.uri
  );
}
