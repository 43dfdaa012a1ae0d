/* The steps of an account, and where model and database part. */
const history = failure => {
  const account = failure.account;
  const steps = account ? account.steps : [];
  const shown = steps.filter(s => s.n > 0 || s.start);
  const of = n => shown.find(s => s.n === n);
  const wanted = s => s && (s.checks || []).find(c => c.wanted);
  const parted = s => ((s && s.checks) || []).flatMap(c => c.parted);
  const first = shown.find(s => parted(s).length);
  const rowsOf = c => c && c.statements.length ? c.statements[c.statements.length - 1].answer : null;
  const last = failure.step;
  const difference = (parted(of(last)).find(p => wanted(of(last)) && wanted(of(last)).parted.includes(p))) || (account && account.end) || failure.difference;
  /* the first of the steps up to the last one that all have it */
  const since = test => {
    let from = null;
    for (let n = last; n >= 0 && of(n) && test(of(n)); n--) from = n;
    return from;
  };
  const has = cells => s => {
    const answer = rowsOf(wanted(s));
    return answer && answer.rows && answer.rows.some(row => rowKey(row) === rowKey(cells));
  };
  const differs = row => s => {
    const check = wanted(s);
    return check && check.parted.some(p => p.rows.some(r => r.kind === row.kind && rowKey(r.a || []) === rowKey(row.a || []) && rowKey(r.e || []) === rowKey(row.e || [])));
  };
  return {
    steps, shown, of, wanted, rowsOf, difference, last, initialize: steps.filter(s => s.n === 0 && !s.start),
    first: first ? first.n : last, firstBy: first && parted(first)[0],
    rowSince: row => row.a && since(has(row.a)), partedSince: row => since(differs(row)), had: (n, row) => of(n) && row.e && has(row.e)(of(n)),
  };
};
