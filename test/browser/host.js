// Stands for VS Code in the page: keeps what the page says and remembers its state.
const kept = sessionStorage.getItem('state');
window.sent = [];
window.violations = [];
document.addEventListener('securitypolicyviolation', event => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
window.acquireVsCodeApi = () => ({
  postMessage: message => window.sent.push(message),
  getState: () => (kept === null ? undefined : JSON.parse(kept)),
  setState: state => sessionStorage.setItem('state', JSON.stringify(state)),
});
