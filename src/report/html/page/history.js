/* What happened in a failure, step by step: where model and database part, and since when each value and row is there. */
const historyOf = failure => {
  const account = failure.account;
  const steps = account ? account.steps : [];
  const shown = steps.filter(s => s.n > 0 || s.start);
  const numbered = new Map(shown.map(s => [s.n, s]));
  const of = n => numbered.get(n);
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
  /* of rows beyond those that an answer shows nothing is known */
  const sinceKnown = test => {
    const from = since(test);
    const before = from ? rowsOf(wanted(of(from - 1))) : null;
    return from && !(before && before.rows && before.rows.length === before.total) ? null : from;
  };
  const has = cells => s => {
    const answer = rowsOf(wanted(s));
    return answer && answer.rows && answer.rows.some(row => rowKey(row) === rowKey(cells));
  };
  const differs = row => s => {
    const check = wanted(s);
    return check && check.parted.some(p => p.rows.some(r => r.kind === row.kind && rowKey(r.a || []) === rowKey(row.a || []) && rowKey(r.e || []) === rowKey(row.e || [])));
  };
  const tables = tablesOf(shown);
  const asked = (wanted(of(last)) || of(last) || {}).statements || [];
  const sql = asked.flatMap(s => s.sql || []).filter(part => typeof part === 'string').join(' ');
  const conditions = new Set(sql.split(/\bwhere\b/i).slice(1).join(' ').match(/\w+/g)); /* words of them */
  return {
    shown, of, wanted, rowsOf, difference, last, initialize: steps.filter(s => s.n === 0 && !s.start),
    first: first ? first.n : last, firstBy: first && parted(first)[0],
    rowSince: row => row.a && sinceKnown(has(row.a)), partedSince: row => since(differs(row)), had: (n, row) => of(n) && row.e && has(row.e)(of(n)),
    variables: variablesOf(shown), tables, order: (columns, rows) => orderOf(tables, conditions, columns, rows),
    /* whether steps before this one have lost their details, so that something may be older than it seems */
    patchy: n => shown.some((s, i) => s.n <= n && (s.brief || (i && s.n - shown[i - 1].n > 1))),
  };
};

/* The variables of the model: {name, versions}, of which each holds from one step to the next one's. */
const variablesOf = shown => {
  const variables = new Map();
  shown.forEach(step => (step.model || []).forEach(([name, now, before]) => {
    if (!variables.has(name)) variables.set(name, { name, versions: [] });
    variables.get(name).versions.push({ from: step.n, now, before });
  }));
  return [...variables.values()];
};
const versionAt = (versions, n) => versions.findLast(v => v.from <= n);

/* Rows of tables, of what each step changed. A version of a row holds from step `from` until `to`; `since` says of each
 * cell which step wrote it, `born` of the row; null: it is not known. */
const tablesOf = shown => {
  const tables = new Map();
  shown.forEach(step => (step.tables || []).forEach(change => {
    if (!tables.has(change.name)) {
      tables.set(change.name, { name: change.name, columns: change.columns || [], key: change.key || [], rows: 0, versions: [], open: new Map(), changes: new Map(), moved: new Set() });
    }
    changeTable(tables.get(change.name), change, step.n);
  }));
  const stepsThat = t => [...t.changes].filter(([n, change]) => n > 0 && change.count).length;
  return [...tables.values()].map(t => ({ ...t, changed: stepsThat(t) })).sort((a, b) => b.changed - a.changed).map(t => ({ ...t, order: columnOrder(t.columns, c => t.key.includes(c) ? 0 : t.moved.has(c) ? 1 : 2) }));
};
const changeTable = (table, change, n) => {
  const idOf = cells => rowKey(table.key.length ? table.key.map(i => cells[i]) : cells);
  const rows = change.rows || [];
  table.why = change.why || table.why;
  table.changes.set(n, { count: rows.length + (change.more || 0), more: change.more || 0, why: change.why });
  /* a key may move from row to row: first all go, then all come */
  const left = rows.map(({ a, b }) => {
    const same = b && table.open.get(idOf(b));
    const version = same && same.length ? same.pop() : b && addVersion(table, { cells: b, from: 0, born: null, since: b.map(() => null), row: table.rows++ });
    if (version) version.to = n;
    if (version && !a) version.gone = true;
    return version;
  });
  rows.forEach(({ a, b }, i) => {
    if (!a) return;
    const old = left[i];
    const moved = a.map((cell, c) => !b || rowKey([cell]) !== rowKey([b[c]]));
    if (b) moved.forEach((is, c) => is && table.moved.add(c));
    const version = addVersion(table, { cells: a, was: b, from: n, born: old ? old.born : n, since: moved.map((is, c) => is ? n : old.since[c]), row: old ? old.row : table.rows++ });
    const id = idOf(a);
    table.open.set(id, [...(table.open.get(id) || []), version]);
  });
};
const addVersion = (table, version) => {
  version.id = table.versions.push(version);
  return version;
};
/* Of wide rows, the key and what some step changes come first, so that they are in sight. */
const columnOrder = (columns, rank) => {
  const all = columns.map((_, c) => c);
  return manyColumns(columns) ? all.sort((a, b) => rank(a) - rank(b) || a - b) : all;
};
/* The same for the columns of a query, of which only the names are known, with those that its WHERE names. */
const orderOf = (tables, conditions, columns, rows) => columnOrder(columns, c =>
  tables.some(t => t.key.some(k => t.columns[k] === columns[c])) ? 0
    : conditions.has(columns[c]) || rows.some(r => r.kind === 'changed' && r.e[c].d) || tables.some(t => [...t.moved].some(m => t.columns[m] === columns[c])) ? 1 : 2);
/* The rows after step `n`, with those that it removed, in the order in which they came. */
const rowsAt = (table, n) => table.versions
  .filter(v => v.from <= n && (v.to === undefined || v.to > n || (v.to === n && v.gone)))
  .sort((a, b) => a.row - b.row);
