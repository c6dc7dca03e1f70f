#!/usr/bin/env node
// Writes bindings/javascript/profile.d.ts to stdout: the TypeScript types of profile.schema.json.

import { readFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(new URL('../profile.schema.json', import.meta.url), 'utf8'));

const typeName = (name) => 'Profile' + name[0].toUpperCase() + name.slice(1);
const anyOf = (types) => [...new Set(types)].join(' | ');

/** The type that a schema describes. What a type cannot say, such as the pattern of a text, is left out. */
function typeOf(schema, indent = '') {
  if (schema === true) return 'unknown';
  if (schema.$ref) return typeName(schema.$ref.slice('#/$defs/'.length));
  if (schema.anyOf) return anyOf(schema.anyOf.map((one) => typeOf(one, indent)));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return anyOf(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(schema.type)) return anyOf(schema.type.map((type) => typeOf({ type }, indent)));
  switch (schema.type) {
    case 'array': return `${group(typeOf(schema.items, indent))}[]`;
    case 'object': return schema.properties ? members(schema, indent) : `Record<string, ${values(schema, indent)}>`;
    case 'integer': return 'number';
    default: return schema.type;
  }
}

const group = (type) => (/[|{]/.test(type) ? `(${type})` : type);
const values = ({ additionalProperties = true }, indent) => typeOf(additionalProperties, indent);

function members({ properties, required = [] }, indent) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, value]) => {
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
    return `${comment(value, inner)}${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(value, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function comment({ description = '', default: value }, indent = '') {
  const note = value === undefined ? '' : `The default is \`${JSON.stringify(value)}\`.`;
  const text = [description, note].filter(Boolean).join(' ').replaceAll('*/', '*\\/');
  return text && `${indent}/** ${text} */\n`;
}

const types = Object.entries({ document: schema, ...schema.$defs });
const declarations = types.map(([name, type]) => `${comment(type)}export type ${typeName(name)} = ${typeOf(type)};\n`);
process.stdout.write(`// tools/profile-types.mjs makes this file from profile.schema.json.\n\n${declarations.join('\n')}`);
