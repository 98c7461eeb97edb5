import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../support/cache-folder.ts';

/** Versions of the generators. */
const OPENAPI_GENERATOR = '7.25.0';
const OAPI_CODEGEN = 'v2.8.2';
const PYTHON_CLIENT = '0.29.1';

export type Command = readonly [program: string, ...words: string[]];

/**
 * A generated client, and the program in `jobs/` that does the main job with it. Paths are relative to a folder of its
 * own.
 */
export interface GeneratedClient {
  generator: string;
  language: string;
  /** Programs that must be there. */
  needs: readonly string[];
  /** Puts files into the folder, which has `openapi.json`. */
  prepare(folder: string): Promise<void>;
  /** Makes and compiles the client and the program. */
  make: readonly Command[];
  run: Command;
  env?: Readonly<Record<string, string>>;
}

const JOBS = fileURLToPath(new URL('jobs/', import.meta.url));

/** Copies the program, and writes other files by their paths. */
async function files(folder: string, [job, path]: [string, string], texts: Record<string, string> = {}) {
  for (const each of [path, ...Object.keys(texts)]) await mkdir(join(folder, each, '..'), { recursive: true });
  await copyFile(join(JOBS, job), join(folder, path));
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
}

const JAR = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`;

const openApiGenerator = (name: string, ...options: string[]): Command[] => [
  [
    'mvn',
    '-q',
    'dependency:copy',
    `-Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`,
    '-DoutputDirectory=.',
  ],
  ['java', '-jar', JAR, 'generate', '-i', 'openapi.json', '-g', name, '-o', 'client', ...options],
];

const GO_MODULE = `module job

go 1.23

require github.com/GIT_USER_ID/GIT_REPO_ID v0.0.0

replace github.com/GIT_USER_ID/GIT_REPO_ID => ../client
`;
const CARGO_MANIFEST = `[package]
name = "job"
version = "0.1.0"
edition = "2021"

[dependencies]
openapi = { path = "../client" }
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread", "time"] }
`;
const CARGO_TARGET = cacheFolder('generated-clients-cargo');

export const clients: readonly GeneratedClient[] = [
  {
    generator: `openapi-generator ${OPENAPI_GENERATOR}`,
    language: 'Go',
    needs: ['java', 'mvn', 'go'],
    prepare: (folder) => files(folder, ['openapi-generator.go', 'job/main.go'], { 'job/go.mod': GO_MODULE }),
    make: [...openApiGenerator('go'), ['go', 'build', '-C', 'job', '-o', 'job']],
    run: ['job/job'],
  },
  {
    generator: `openapi-generator ${OPENAPI_GENERATOR}`,
    language: 'Python',
    needs: ['java', 'mvn', 'python3'],
    prepare: (folder) => files(folder, ['openapi-generator.py', 'job.py']),
    make: [
      ...openApiGenerator('python'),
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '-q', '-r', 'client/requirements.txt'],
    ],
    run: ['venv/bin/python', 'job.py'],
    env: { PYTHONPATH: 'client' },
  },
  {
    generator: `openapi-generator ${OPENAPI_GENERATOR}`,
    language: 'Java',
    needs: ['java', 'mvn'],
    prepare: (folder) => files(folder, ['Job.java', 'client/src/main/java/Job.java']),
    make: [
      ...openApiGenerator('java', '--library', 'native'),
      ['mvn', '-q', '-f', 'client/pom.xml', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/jars'],
    ],
    run: ['java', '-cp', 'client/target/classes:client/target/jars/*', 'Job'],
  },
  {
    generator: `openapi-generator ${OPENAPI_GENERATOR}`,
    language: 'Rust',
    needs: ['java', 'mvn', 'cargo'],
    prepare: (folder) =>
      files(folder, ['openapi-generator.rs', 'job/src/main.rs'], { 'job/Cargo.toml': CARGO_MANIFEST }),
    make: [...openApiGenerator('rust'), ['cargo', 'build', '-q', '--manifest-path', 'job/Cargo.toml']],
    run: [join(CARGO_TARGET, 'debug', 'job')],
    env: { CARGO_TARGET_DIR: CARGO_TARGET },
  },
  {
    generator: `oapi-codegen ${OAPI_CODEGEN.slice(1)}`,
    language: 'Go',
    needs: ['go'],
    prepare: (folder) =>
      files(folder, ['oapi-codegen.go', 'main.go'], {
        'go.mod': 'module job\n\ngo 1.23\n',
        'client/.keep': '',
      }),
    make: [
      [
        'go',
        'run',
        `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}`,
        ...['-generate', 'types,client', '-package', 'client', '-o', 'client/client.go', 'openapi.json'],
      ],
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'job', '.'],
    ],
    run: ['./job'],
  },
  {
    generator: `openapi-python-client ${PYTHON_CLIENT}`,
    language: 'Python',
    needs: ['python3'],
    prepare: (folder) => files(folder, ['openapi-python-client.py', 'job.py']),
    make: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '-q', `openapi-python-client==${PYTHON_CLIENT}`],
      ['venv/bin/openapi-python-client', 'generate', '--path', 'openapi.json', '--output-path', 'client'],
    ],
    run: ['venv/bin/python', 'job.py'],
    env: { PYTHONPATH: 'client' },
  },
];
