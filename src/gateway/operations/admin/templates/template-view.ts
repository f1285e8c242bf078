import { configurationView } from '../../../../contracts/document-view.ts';
import type { Template } from '../../../../directory/owners.ts';

/** A template as it is shown (docs/rules/http.md "Templates and instances"). */
export function templateView(template: Template): Record<string, unknown> {
  return {
    owner_id: template.owner,
    id: template.id,
    name: template.name,
    description: template.description,
    ...configurationView(template.configuration),
  };
}
