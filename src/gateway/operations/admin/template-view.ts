import { configurationView } from '../../../contracts/document-view.ts';
import type { Template } from '../../../directory/owners.ts';

/** http.md, "templates". */
export function templateView(template: Template): Record<string, unknown> {
  return {
    owner_id: template.owner,
    id: template.id,
    name: template.name,
    description: template.description,
    ...configurationView(template.configuration),
  };
}
