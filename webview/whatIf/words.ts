/** Words of the panel in which a plan is tried out. */
export const WHAT_IF_WORDS = {
  whatIf: 'What if…',
  whatIfHint:
    'Try other degrees; nothing is written. tp, cp and pp share the GPUs with dp; dp changes how many there are.',
  whatIfLoading: 'The engine is being loaded…',
  whatIfSummary: 'What if: {changes}',
  whatIfReset: 'Back to the file',
  whatIfApply: 'Apply…',
  whatIfApplyLabel: 'Apply… what is tried out',
  whatIfForeign: 'Not applicable: {framework} cannot express {keys}.',
  whatIfGpus: 'GPUs',
  whatIfWas: '{value} in the file',
  whatIfSlider: '{key}: {value}',
  whatIfUnknown: 'Values that are unknown cannot be tried out before they are stated.',
  whatIfProblems: 'This plan cannot run as it stands:',
  deltaSame: 'as in the file',
  deltaMore: '{percent} more than the file’s {value}',
  deltaLess: '{percent} less than the file’s {value}',
  deltaNew: 'the file’s plan has none',
};
