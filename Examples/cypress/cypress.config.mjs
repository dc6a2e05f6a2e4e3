// footbridge exec --config footbridge.yaml --framed-app -- npx cypress run
import { defineConfig } from "cypress";

export default defineConfig({
  e2e: { baseUrl: process.env.FOOTBRIDGE_URL, supportFile: false },
  env: { controlToken: process.env.FOOTBRIDGE_CONTROL_TOKEN },
});
