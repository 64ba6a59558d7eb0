// Package fit finds every parameter set, within a box that the user states,
// that meets figures which the user measured, and how far an answer scatters
// over those sets: what the measured figures leave open.
package fit
