// The scripted model and judge as a program, for a shell: its first line is its address. It serves until it is ended.
import { scripted } from './scripted.mjs';

const { baseUrl } = await scripted();
process.stdout.write(`${baseUrl}\n`);
