package designs

func init() {
	for _, i := range []Info{oneInfo, shorterInfo, shardsInfo, packedInfo, readersInfo, copyInfo, countersInfo, atomicInfo, batchInfo, ownerInfo} {
		Register(i)
	}
}
