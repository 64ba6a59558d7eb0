// Package block is the block layer's part of a command's way: pages become
// bios, bios become requests, and requests are split and merged within the
// limits of the queue that they go to [S20] [S24].
//
// Merging happens in a [Plug], a list that one thread fills and then empties
// into its devices' queues. 2.6.20 kept that list in the queue, under
// queue_lock, and emptied it when the queue was unplugged; since 2.6.39 it is
// the thread's own. Which requests come out is the same for the loads here, in
// which no two threads write next to each other; what lies in a strategy's
// queue is not merged any more.
//
// Left out: bounce buffers, the IOMMU's virtual merges (so that hw segments
// are phys segments), and elevators that sort.
package block
