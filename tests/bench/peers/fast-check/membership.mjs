// machines/membership.yaml for fast-check and node-postgres.
//
//     node membership.mjs EXAMPLES SEED
//
// runs so many examples on the database `membership` of the server that the environment names, and prints
// how many steps that were and the seconds that they took. Statements have names, so that they are prepared
// once. fast-check has no invariants: they are checked when an example has begun and after each command.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import pg from 'pg';

const [numRuns, seed] = process.argv.slice(2).map(Number);
const client = new pg.Client({ database: 'membership' });
let steps = 0;

const statements = {
  user: "INSERT INTO users (email) VALUES ('ann@example.com') RETURNING id",
  projects: "INSERT INTO projects (name) SELECT 'p' || n FROM generate_series(1, 4) AS n RETURNING id",
  sign_in: "SELECT set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)",
  upsert: `INSERT INTO project_members (project_id, user_id, role) VALUES ($1, $2, $3)
           ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
  remove: 'DELETE FROM project_members WHERE project_id = $1 AND user_id = $2',
  members: 'SELECT pid FROM get_member_project_ids() AS pid',
  editors: 'SELECT pid FROM get_editor_project_ids() AS pid',
};

async function query(name, ...values) {
  return (await client.query({ name, text: statements[name], values })).rows;
}

async function checkInvariants(model) {
  const listed = async (name) => (await query(name)).map((row) => row.pid).sort();
  const editors = [...model.members].filter(([, role]) => role === 'editor').map(([id]) => id);
  assert.deepEqual(await listed('members'), [...model.members.keys()].sort());
  assert.deepEqual(await listed('editors'), editors.sort());
}

class UpsertMember {
  constructor(project, role) {
    this.project = project;
    this.role = role;
  }
  check() {
    return true;
  }
  async run(model) {
    steps++;
    const id = model.projects[this.project];
    await query('upsert', id, model.user, this.role);
    model.members.set(id, this.role);
    await checkInvariants(model);
  }
  toString() {
    return `upsertMember(${this.project}, ${this.role})`;
  }
}

class RemoveMember {
  constructor(project) {
    this.project = project;
  }
  check() {
    return true;
  }
  async run(model) {
    steps++;
    const id = model.projects[this.project];
    await query('remove', id, model.user);
    model.members.delete(id);
    await checkInvariants(model);
  }
  toString() {
    return `removeMember(${this.project})`;
  }
}

async function begin() {
  await client.query('BEGIN');
  const [{ id: user }] = await query('user');
  const projects = (await query('projects')).map((row) => row.id);
  await query('sign_in', JSON.stringify({ sub: user, role: 'authenticated' }));
  const model = { user, projects, members: new Map() };
  await checkInvariants(model);
  return model;
}

const project = fc.nat({ max: 3 });
const commands = fc.commands(
  [
    fc.tuple(project, fc.constantFrom('viewer', 'editor')).map(([id, role]) => new UpsertMember(id, role)),
    project.map((id) => new RemoveMember(id)),
  ],
  { maxCommands: 50, size: 'max' },
);
const property = fc
  .asyncProperty(commands, (sequence) => fc.asyncModelRun(async () => ({ model: await begin(), real: client }), sequence))
  .afterEach(() => client.query('ROLLBACK'));

await client.connect();
const started = performance.now();
await fc.assert(property, { numRuns, seed });
console.log(steps, (performance.now() - started) / 1000);
await client.end();
