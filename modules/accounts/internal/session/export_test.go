package session

// Uses is what a sign-in is counted by.
var Uses = uses
