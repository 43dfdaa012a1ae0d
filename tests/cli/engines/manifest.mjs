// manifest.mjs FILE: checks the documents of a manifest (JSON) against the schema of Kubernetes' API.
import { readFileSync } from "node:fs";
import { validate as job } from "kubernetes-models/_schemas/IoK8sApiBatchV1Job";
import { validate as claim } from "kubernetes-models/_schemas/IoK8sApiCoreV1PersistentVolumeClaim";
const kinds = { "batch/v1 Job": job, "v1 PersistentVolumeClaim": claim };
for (const document of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const validate = kinds[`${document.apiVersion} ${document.kind}`];
  if (!validate) throw new Error(`${document.apiVersion} ${document.kind}`);
  if (!validate(document)) throw new Error(JSON.stringify(validate.errors));
}
