// Package markup streams XML that is not trusted: bounded in depth and in the size of each piece, without document types
// and entities of its own, in the charsets in which the regulator writes. Nothing outside the text is ever fetched.
package markup
