// The proof that no code of the document is missing, and that only documented codes are told in words of their own.
import { expect, test } from 'vitest';
import { failureKinds, hasOwnWords, platformCodes } from '../../../app/domain/failure.ts';

// API v3 §7 "Error codes", in its order.
const documented = [
  'bad_request',
  'not_found',
  'method_not_allowed',
  'unprocessable_entity',
  'too_many_requests',
  'internal_server_error',
  'missing_headers',
  'max_upload_size_exceeded',
  'unauthorized',
  'invalid_scope',
  'forbidden',
  'uneditable_entity',
  'undeleted_resource_association',
  'product_combo_empty_components',
  'product_combo_attributes_not_allowed',
  'product_combo_component_combo_not_allowed',
  'product_combo_invalid_price',
  'product_with_grid_cannot_have_components',
  'option_cannot_be_associated_with_grid',
  'grid_with_options_not_exclusive_by_attribute_group',
  'grid_with_duplicate_set_of_options',
];

test('the 21 codes of API v3 §7 are known, and no other', () => {
  expect(documented).toHaveLength(21);
  expect(Object.keys(platformCodes)).toEqual(documented);
});

test('a code either shares the words of a kind or has its own', () => {
  for (const [code, kind] of Object.entries(platformCodes)) {
    expect(hasOwnWords(code)).toBe(kind === null);
    expect(kind === null || failureKinds.includes(kind)).toBe(true);
  }
});

test.each([undefined, '', 'made_up', 'INVALID_SCOPE', 'constructor', '__proto__', 'toString', 'forbidden'])(
  '%s has no words of its own',
  (code) => {
    expect(hasOwnWords(code)).toBe(false);
  },
);
