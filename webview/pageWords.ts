/** Words of the navigation and of what stands on every page. */
export const PAGE_WORDS = {
  pagesLabel: 'Pages of the dashboard',
  'page-overview': 'Overview',
  'page-memory': 'Memory',
  'page-time': 'Time',
  'page-pipeline': 'Pipeline',
  'page-mesh': 'Mesh',
  'page-roofline': 'Roofline',
  'page-collectives': 'Collectives',
  'page-search': 'Search',
  'page-evidence': 'Evidence',
} as const;
