// Time zones that the page makes, compared with those of the system.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Profile, provideFile } from '../../bindings/javascript/node.js';
import { compiledZone } from '../zones.js';

const ZONES = ['Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Sao_Paulo'];

test('dates in a zone are those of its file', () => {
  for (const zone of ZONES) {
    const seconds = Array.from({ length: 3000 }, (_, index) => Math.floor((index - 600) * 1_051_201.7));
    const convert = (content) => {
      provideFile(`/usr/share/zoneinfo/${zone}`, content);
      return new Profile({ dates: { at: '/*', from: 'epoch-s', zone } }).convert(JSON.stringify(seconds));
    };
    assert.equal(convert(compiledZone(zone)), convert(readFileSync(`/usr/share/zoneinfo/${zone}`)), zone);
  }
});

test('an unknown name gives no zone', () => {
  assert.equal(compiledZone('Europe/Nowhere'), undefined);
});
