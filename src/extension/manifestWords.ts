/** Words of the manifest by the key that stands for them there. Those of settings and tools stand in their tables. */
export const MANIFEST_WORDS = {
  description:
    'Benchmark and strategy advisor for parallel training: does it fit, how fast does it go, what to change, in the config file that you have open.',
  untrusted:
    'Configs are read, estimated and searched as everywhere. Until the workspace is trusted, this machine is neither asked (nvidia-smi) nor measured.',
  'command.openDashboard': 'Open the Dashboard',
  'command.exportTo': 'Export to Another Framework…',
  'command.chooseCluster': 'Choose the Cluster',
  'command.chooseFiles': 'Choose the Files of This Setup',
  'command.askValues': 'Set Missing Values',
  'command.search': 'Search for a Better Layout',
  'command.saveReport': 'Save a Report of This Plan',
  'command.prove': 'Prove This Plan',
  'command.exercise': 'Exercise',
  'command.lecture': 'Replay the Lecture',
  'command.benchmark': 'Benchmark This Machine',
  'command.writeClusterScript': 'Write the Benchmark Script for This Cluster',
  'command.runClusterScript': 'Run the Benchmark Script Here',
  'command.importMeasurements': 'Import Measurements…',
  'command.calibrate': 'Calibrate from Measurements…',
  'command.undoCalibration': 'Undo the Calibration',
  'command.compareRun': 'Why Is My Run Slower Than This?',
  'command.forgetMeasurements': 'Forget the Measurements of This Config',
  'command.writeProposal': 'Write the Proposed Plan',
  'command.discardProposal': 'Discard the Proposed Plan',
  'command.hide': 'Hide…',
  'command.openSample': 'Open the Sample',
  'command.savePlan': 'Save the Present Plan',
  'command.deletePlan': 'Delete the Saved Plan',
  'command.refreshSetups': 'Look for Configs Again',
  'view.setups': 'Setups',
  'view.plans': 'Saved Plans',
  'welcome.setups': 'No config of a training run is in this workspace.\n[Open the Sample](command:meshlens.openSample)',
  'welcome.plans':
    'Plans that you save from a config or from the results of a search are kept here.\n[Save the Present Plan](command:meshlens.savePlan)',
  'walkthrough.title': 'Get Started with MeshLens',
  'walkthrough.description': 'From a config to a better parallel layout.',
  'walkthrough.sample.title': 'Open a config',
  'walkthrough.sample.description':
    "Open a model's config.json and a training config, or the sample: Llama-3.1-8B on 16 GPUs.\n[Open the Sample](command:meshlens.openSample)",
  'walkthrough.sample.image': 'A training config in the editor',
  'walkthrough.cluster.title': 'Say on what it runs',
  'walkthrough.cluster.description':
    'Choose the machines. The line above the config then says whether the run fits and how fast it goes.\n[Choose the Cluster](command:meshlens.chooseCluster)',
  'walkthrough.cluster.image': 'The line above a config: parameters, memory, throughput',
  'walkthrough.cluster.svg': 'media/walkthrough/lens.svg',
  'walkthrough.dashboard.title': 'See where the time goes',
  'walkthrough.dashboard.description':
    'Each number of the dashboard opens: its parts, its formula, the evidence.\n[Open the Dashboard](command:meshlens.openDashboard)',
  'walkthrough.dashboard.image': 'The dashboard: memory by part and stage, the step by parts',
  'walkthrough.dashboard.svg': 'media/walkthrough/dashboard.svg',
  'walkthrough.search.title': 'Find and write a better layout',
  'walkthrough.search.description':
    'All layouts that your framework can express, in a second. The best is written into your file after you have seen the difference.\n[Search for a Better Layout](command:meshlens.search)',
  'walkthrough.search.image': 'Proposals with their gains, and the difference in the file',
  'walkthrough.search.svg': 'media/walkthrough/search.svg',
  schema: './schemas/meshlens-file.schema.json',
};

export const SCHEMA_ENGLISH = {
  hardware: 'A hardware file, by its path from this one: what was measured on this cluster.',
  files: 'Paths from this file; a folder ends with /.',
  title: 'MeshLens: what holds for the configs of this folder',
  overrides: 'What holds for some of the configs alone; the later one counts.',
};
