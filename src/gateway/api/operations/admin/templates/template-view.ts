import { configurationView } from '../../../../../contracts/configuration/document-view.ts';
import type { TemplateEntry } from '../../../../../directory/owners.ts';

/** A template as it is shown (docs/rules/http.md "Templates and instances"). */
export function templateView(template: TemplateEntry): Record<string, unknown> {
  return {
    owner_id: template.owner,
    id: template.id,
    name: template.name,
    description: template.description,
    ...configurationView(template.configuration),
  };
}
