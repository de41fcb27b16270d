// Owns one switch: schemas are checked without generated code, because the page's content security policy forbids eval.
// Must be imported before any schema is made; never imports one.
import { z } from 'zod';

z.config({ jitless: true });
