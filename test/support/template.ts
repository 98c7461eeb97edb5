export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  [attribute: string]: unknown;
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, unknown>;
}

export const resourcesOf = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
