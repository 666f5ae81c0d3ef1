// Asks a server of tools through the official client for JavaScript and prints what came as one line of JSON:
// client.mjs SDK CALLS COMMAND…, where SDK is the folder with the package.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [sdk, file, command, ...args] = process.argv.slice(2)
const load = (name) => import(pathToFileURL(createRequire(`${sdk}/client.js`).resolve(`@modelcontextprotocol/sdk/${name}`)).href)
const { Client } = await load('client/index.js')
const { StdioClientTransport } = await load('client/stdio.js')

// `@2.confirm` is what stands there in the text of the third answer.
const filled = (value, answers) => {
  if (Array.isArray(value)) return value.map((part) => filled(part, answers))
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part, answers)]))
  }
  if (typeof value !== 'string' || !value.startsWith('@')) return value
  const [number, ...path] = value.slice(1).split('.')
  return path.reduce((found, part) => found[part], JSON.parse(answers[number].content[0].text))
}

const client = new Client({ name: 'test', version: '1' })
await client.connect(new StdioClientTransport({ command, args, env: { ...process.env } }))
const tools = (await client.listTools()).tools.map((tool) => tool.name)
const answers = []
for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const { tool, arguments: given } = JSON.parse(line)
  answers.push(await client.callTool({ name: tool, arguments: filled(given ?? {}, answers) }))
}
await client.close()
console.log(JSON.stringify({ tools, answers }))
