// Package people covers the people who work at advisers: teams and alumni from Schedules A and B of Form ADV and from Form D.
package people
